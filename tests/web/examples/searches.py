"""The search over all episodes: asked, answered, refused."""

from __future__ import annotations

from backend.web.pages.parts import FieldError, Link, plain, strong
from backend.web.pages.search import FoundEpisode, FoundMoment, SearchField, SearchPage
from backend.web.pages.view import View
from tests.web.examples.frame import CHROME

FIELDS = (
    SearchField(name="skill", meaning="such as grasp"),
    SearchField(name="tag", meaning="of an annotation"),
    SearchField(name="outcome", meaning="completed, budget, aborted, or running"),
)
EXAMPLES_ASKED = (Link(label="skill:grasp failed", href="/search?q=skill%3Agrasp%20failed"),)
FOUND = SearchPage(
    chrome=CHROME,
    q="grasp slipped",
    note="Moments 1 to 3, and there are more. 2 episodes are not wholly indexed yet.",
    groups=(
        FoundEpisode(
            episode=Link(label="recycling-dn14-0417", href="/episodes/recycling-dn14-0417"),
            title="Sort the recycling of lab B",
            facts="recycling-dn14, planner openai, completed, ordered by operator-1 2026-11-30 14:06 UTC",
            moments=(
                FoundMoment(
                    moment=Link(label="00:12:08", href="/episodes/recycling-dn14-0417?tab=log&at=96"),
                    icon="grasped",
                    kind="Step",
                    text=(strong("grasp"), plain(" can_07: failed, grasp_"), strong("slipped"), plain(".")),
                ),
                FoundMoment(
                    moment=Link(
                        label="00:12:40", href="/episodes/recycling-dn14-0417?tab=annotations&at=104"
                    ),
                    icon="note",
                    kind="Annotation",
                    author="operator-1",
                    text=(
                        plain("The can "),
                        strong("slipped"),
                        plain(" out of the "),
                        strong("grasp"),
                        plain("."),
                    ),
                ),
            ),
        ),
    ),
    later=Link(label="More moments", href="/search?q=grasp%20slipped&start=50"),
    examples=EXAMPLES_ASKED,
    fields=FIELDS,
)
WRONG = FieldError(field="q", message="There is no field colour.", remedy="There are skill, tag, outcome.")

EXAMPLES: dict[str, View] = {
    "search": FOUND,
    "search/refused": SearchPage(
        chrome=CHROME, q="colour:red", note="", errors=(WRONG,), examples=EXAMPLES_ASKED, fields=FIELDS
    ),
}
