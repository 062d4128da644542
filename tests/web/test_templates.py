"""Every template in every state: it renders, it nests, it obeys the policy, untrusted text stays text."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest

from backend.web.pages import audit, bar, evidence, parts
from backend.web.pages.chrome import Page
from backend.web.pages.environment import environment
from backend.web.pages.view import View, render
from tests.support.checkout import ROOT
from tests.web.examples import EXAMPLES
from tests.web.hostile import HOSTILE, poisoned
from tests.web.html import elements, skeleton

TEMPLATES = environment(ROOT / "frontend")
ALL = pytest.mark.parametrize("name", list(EXAMPLES))
PAGES = pytest.mark.parametrize("name", [name for name, view in EXAMPLES.items() if isinstance(view, Page)])

assert audit, bar  # the modules of all contexts are imported by the examples


@cache
def shown(name: str) -> str:
    return render(TEMPLATES, EXAMPLES[name])


def views(base: type[View] = View) -> Iterator[type[View]]:
    for view in base.__subclasses__():
        yield view
        yield from views(view)


@pytest.mark.parametrize("view", [v for v in views() if v is not Page], ids=lambda view: view.__name__)
def test_every_context_has_an_example_and_its_template_is_there(view: type[View]) -> None:
    assert TEMPLATES.get_template(view.template)
    assert any(type(example) is view for example in EXAMPLES.values())


def test_every_template_belongs_to_a_context_or_to_another_template() -> None:
    files = {path.relative_to(ROOT / "frontend").as_posix() for path in (ROOT / "frontend").rglob("*.html")}
    sources = "".join(path.read_text() for path in (ROOT / "frontend").rglob("*.html"))
    named = set(re.findall(r'{% (?:include|import|extends) "([^"]+)"', sources))
    assert files == named | {view.template for view in views() if view is not Page}


@ALL
def test_it_renders_and_nests(name: str) -> None:
    assert elements(shown(name))


@ALL
@pytest.mark.parametrize("kind", list(HOSTILE))
def test_untrusted_text_changes_no_tag_and_no_attribute(name: str, kind: str) -> None:
    poison = poisoned(EXAMPLES[name], HOSTILE[kind])
    assert skeleton(render(TEMPLATES, poison)) == skeleton(shown(name))


@ALL
def test_characters_that_deceive_are_written_out(name: str) -> None:
    html = render(TEMPLATES, poisoned(EXAMPLES[name], HOSTILE["all at once"]))
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u200f\u061c]", html)
    if any(span for span in strings(EXAMPLES[name])):
        assert "⟨U+202E⟩" in html


@ALL
def test_no_address_runs_a_script(name: str) -> None:
    html = render(TEMPLATES, poisoned(EXAMPLES[name], HOSTILE["address"]))
    for element in elements(html):
        for attribute in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
            value = element.get(attribute)
            assert value == "" or value[0] in "/#?", f"{element.tag} {attribute}={value}"


@ALL
def test_it_passes_a_strict_policy(name: str) -> None:
    for element in elements(shown(name)):
        assert element.tag != "style"
        assert element.tag != "script" or (element.has("src") and not element.text)
        bad = [a for a in element.attributes if a == "style" or a.startswith(("on", "hx-on", "hx-vals"))]
        assert not bad, f"{element.tag}: {bad}"
        assert not element.get("hx-trigger").count("["), "event filters are evaluated"


@ALL
def test_ids_are_unique_and_references_lead_to_one(name: str) -> None:
    found = elements(shown(name))
    ids = Counter(element.get("id") for element in found if element.has("id"))
    assert [id for id, times in ids.items() if times > 1] == []
    if isinstance(EXAMPLES[name], Page):
        for element in found:
            for attribute in ("for", "aria-labelledby", "aria-describedby", "form"):
                assert set(element.get(attribute).split()) <= set(ids), f"{element.tag} {attribute}"


@PAGES
def test_a_page_has_one_heading_one_main_and_a_way_to_skip_to_it(name: str) -> None:
    found = elements(shown(name))
    tags = Counter(element.tag for element in found)
    assert tags["h1"] == 1
    assert tags["main"] == 1
    # Marks in a chart have titles of their own, which are no page's.
    head = [element.tag for element in found][: [element.tag for element in found].index("body")]
    assert head.count("title") == 1
    skip = next(e for e in elements(shown(name)) if e.get("class") == "skip")
    assert skip.get("href").startswith("#")


@PAGES
def test_every_form_works_without_scripts(name: str) -> None:
    for form in elements(shown(name)):
        if form.tag == "form" and form.get("method") != "dialog":
            assert form.get("method") in ("get", "post")
            assert form.get("action").startswith("/")
            assert form.get("hx-post") in ("", form.get("action"))


def test_the_decision_posts_exactly_what_was_shown() -> None:
    html = shown("plan/awaiting")
    decision = EXAMPLES["plan/awaiting"].decision
    assert html.count(f'name="plan_digest" value="{decision.plan_digest}"') == 2
    assert html.count(f'name="pins_digest" value="{decision.pins_digest}"') == 2
    posted = {e.get("action") for e in elements(html) if e.tag == "form"}
    assert posted == {"/episodes/0417/approvals/a-14/grant", "/episodes/0417/approvals/a-14/rejection"}


def test_enter_in_the_guidance_field_submits_nothing() -> None:
    """A text field submits its form on Enter; a text area does not."""
    inputs = [e for e in elements(shown("plan/awaiting")) if e.tag == "input"]
    assert {e.get("type") for e in inputs} == {"hidden"}


NOTHING_TO_DECIDE = [
    name
    for name, view in EXAMPLES.items()
    if name.startswith("plan/") and "awaiting" not in name and name != "plan/replayed"
]


@pytest.mark.parametrize("name", NOTHING_TO_DECIDE)
def test_only_an_open_question_offers_approve(name: str) -> None:
    assert "/grant" not in shown(name)


def test_a_replayed_page_commands_nothing_but_hold() -> None:
    found = elements(shown("episode/replayed"))
    commands = [e for e in found if e.has("data-command")]
    assert commands
    assert all(e.has("disabled") for e in commands)
    hold = next(e for e in found if e.tag == "button" and e.get("class").startswith("hold"))
    assert not hold.has("disabled")
    assert "live robot" in hold.text
    fetching = {e.get("id") for e in found if "from:body" in e.get("hx-trigger")}
    assert fetching - {"queue"} == {"bar", "timeline"}


@pytest.mark.parametrize("name", ["bar/awaiting", "bar/link lost", "bar/stopping", "bar/replayed"])
def test_hold_is_never_disabled_while_a_robot_is_live(name: str) -> None:
    found = elements(shown(name))
    form = next(e for e in found if e.has("data-hold"))
    button = next(e for e in found if e.get("class").split()[:1] == ["hold"])
    assert form.get("action") == "/episodes/0417/holds"
    assert not button.has("disabled")


def test_release_takes_two_steps() -> None:
    def second(name: str) -> bool:
        found = elements(shown(name))
        return next(e for e in found if e.tag == "button" and e.text == "2 Release").has("disabled")

    assert second("plan/held")
    assert not second("plan/held, area clear")
    assert second("plan/held, another has the conn")


def test_panels_keep_their_place_when_they_fetch_themselves_again() -> None:
    shown = msgspec.structs.replace(EXAMPLES["evidence/context"], at=12, chosen="4:sent")
    assert isinstance(shown, evidence.Evidence)
    panel = next(e for e in elements(render(TEMPLATES, shown)) if e.get("id") == "evidence")
    assert panel.get("hx-get") == "/episodes/0417/context?at=12&chosen=4%3Asent"


def test_a_context_that_says_nothing_is_refused() -> None:
    broken = msgspec.structs.replace(EXAMPLES["replay"], met=None)
    with pytest.raises(TypeError, match="None"):
        render(TEMPLATES, broken)


@pytest.mark.parametrize("href", ["javascript:alert(1)", "//elsewhere/", "https://elsewhere/"])
def test_a_link_never_leads_out(href: str) -> None:
    with pytest.raises(ValueError, match="leads out"):
        parts.Link(label="On", href=href)


def strings(view: View) -> Iterator[str]:
    """The free strings that a poisoned context differs in."""
    if poisoned(view, "\u202e") != view:
        yield "some"
