"""Missions and sites edited in the console: they count before files, on the command line too."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from backend.bootstrap import mission_files
from backend.config import load_settings
from backend.console import MissionOrders
from backend.domain.mission.mission import Mission
from backend.library import MissionShelf
from backend.persistence.connect import open_database, sqlite_url
from backend.persistence.reader import SqlReader
from backend.sites import SiteShelf
from backend.surveys import read_survey
from backend.usecases.opening import Unopenable, opening
from backend.web.deps import NewEpisode, OrderRefused
from backend.web.documents import DocumentRefused, WrittenMeanwhile
from backend.web.errors import NotThere
from backend.written import WrittenError
from tests.support.homes import new_home
from tests.usecases.test_opening import hello

SITE = """\
name: wet-yard
title: The wet yard
regions:
  - {name: wet floor, restricted: true, polygon_m: [[1.6, 1.6], [2.4, 1.6], [2.4, 2.4], [1.6, 2.4]]}
rules: [Keep left.]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    new_home(tmp_path)
    return tmp_path


def engine_of(home: Path) -> Engine:
    return open_database(sqlite_url(home / "quarterdeck.db"))


def missions(home: Path) -> MissionShelf:
    engine = engine_of(home)
    return MissionShelf(engine, mission_files(load_settings(home=home), engine))


def text_of(home: Path, name: str = "recycling-s6") -> str:
    return missions(home).kept(name).text


def test_an_edit_counts_before_the_file_and_the_file_stays_readable(home: Path) -> None:
    edited = text_of(home).replace("Recycling, six containers", "Six of them")
    missions(home).save("recycling-s6", edited, 0, "ada")

    found = mission_files(load_settings(home=home)).get("recycling-s6")
    assert (found.title, found.version) == ("Six of them", 1)
    kept = missions(home)
    assert (kept.kept("recycling-s6").author, kept.kept("recycling-s6", 0).title) == (
        "ada",
        "Recycling, six containers",
    )
    assert [each.version for each in kept.versions("recycling-s6")] == [1, 0]


def test_a_new_one_is_named_by_its_text_and_can_be_run(home: Path) -> None:
    draft = missions(home).draft("recycling-s6")
    name = missions(home).save("", draft, 0, "ada")

    assert name == "recycling-s6-2"
    assert name in mission_files(load_settings(home=home)).names()
    with pytest.raises(WrittenMeanwhile):
        missions(home).save("", draft, 0, "bob")


def test_two_people_do_not_overwrite_each_other_unseen(home: Path) -> None:
    text = text_of(home)
    missions(home).save("recycling-s6", text, 0, "ada")

    with pytest.raises(WrittenMeanwhile) as caught:
        missions(home).save("recycling-s6", text, 0, "bob")
    assert (caught.value.version, caught.value.author) == (1, "ada")


WRONG = [
    pytest.param("name: recycling-s6\n", "title is missing.", id="a field is missing"),
    pytest.param("name: [\n", "The name is [.", id="no YAML"),
    pytest.param("name: other\n", "The name is other.", id="another name"),
    pytest.param("", "The name is missing.", id="nothing"),
]


@pytest.mark.parametrize(("text", "says"), WRONG)
def test_what_the_command_line_would_refuse_is_not_saved(home: Path, text: str, says: str) -> None:
    with pytest.raises(DocumentRefused) as caught:
        missions(home).save("recycling-s6", text, 0, "ada")

    assert caught.value.error.message == says
    assert caught.value.error.remedy
    assert missions(home).kept("recycling-s6").version == 0


@pytest.mark.parametrize("name", ["new", "A", "a b", "../x", "x" * 64, "é"])
def test_a_name_that_no_address_or_file_can_have_is_refused(home: Path, name: str) -> None:
    text = text_of(home).replace("name: recycling-s6", f'name: "{name}"', 1)

    with pytest.raises(DocumentRefused):
        missions(home).save("", text, 0, "ada")


def test_a_file_that_is_wrong_is_shown_with_what_is_wrong(home: Path) -> None:
    (home / "missions").mkdir()
    (home / "missions" / "broken.yaml").write_bytes(b"name: broken\ntitle: \xff\n")
    [broken] = [each for each in missions(home).newest() if each.name == "broken"]

    assert "is no YAML" in broken.error


def test_a_home_whose_database_is_older_lists_its_files_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "quarterdeck.db").touch()

    assert "recycling-s6" in mission_files(load_settings(home=tmp_path)).names()
    assert mission_files(load_settings(home=tmp_path)).get("recycling-s6").version == 0


def test_names_that_are_not_there(home: Path) -> None:
    for look in (lambda: missions(home).kept("nowhere"), lambda: missions(home).kept("recycling-s6", 9)):
        with pytest.raises(NotThere):
            look()
    with pytest.raises(NotThere):
        SiteShelf(engine_of(home)).kept("nowhere")


def test_a_site_is_laid_over_the_mission_that_names_it(home: Path) -> None:
    SiteShelf(engine_of(home)).save("", SITE, 0, "ada")
    text = f"{text_of(home)}\nsite: wet-yard\n"
    missions(home).save("recycling-s6", text, 0, "ada")

    mission = mission_files(load_settings(home=home)).get("recycling-s6")
    assert mission.site is not None
    event = opening("e1", mission, hello(), planner="policy", seed=1, code_version="test").event
    assert (event.site.survey, event.site.version, event.site.rules[-1]) == ("wet-yard", 1, "Keep left.")
    assert [region.name for region in event.site.regions] == ["wet floor"]
    assert event.mission.version == 1


def test_a_mission_that_names_a_site_nobody_wrote_says_so(home: Path) -> None:
    with pytest.raises(DocumentRefused) as caught:
        missions(home).save("recycling-s6", f"{text_of(home)}\nsite: nowhere\n", 0, "ada")

    assert caught.value.error.message.startswith("site is 'nowhere'")


def test_the_form_lays_a_kept_site_over_the_mission(home: Path) -> None:
    SiteShelf(engine_of(home)).save("", SITE, 0, "ada")
    orders = MissionOrders(load_settings(home=home), engine_of(home))
    assert [(each.value, each.label) for each in orders.sites()] == [("wet-yard", "The wet yard")]

    asked = NewEpisode(mission="recycling-s6", seed=1, planner="policy", site="wet-yard", clock="waits")
    ordered = request_of(home, orders.start(asked, "ada"))
    assert (ordered["mission"]["site"]["name"], ordered["mission"]["world"]["clock"]) == ("wet-yard", "waits")
    with pytest.raises(OrderRefused) as caught:
        orders.start(NewEpisode(mission="recycling-s6", seed=1, planner="policy", site="nowhere"), "ada")
    assert caught.value.field == "site"


def request_of(home: Path, episode: str) -> dict[str, dict[str, dict[str, object]]]:
    request: dict[str, dict[str, dict[str, object]]] = SqlReader(engine_of(home)).episode(episode).request
    return request


def test_an_episode_on_a_map_in_another_frame_does_not_begin(home: Path) -> None:
    survey = read_survey(SITE, "wet-yard", 1)
    mission: Mission = mission_files(load_settings(home=home)).get("recycling-s6")
    elsewhere = replace(mission, site=replace(survey, frame_id="odom"))

    with pytest.raises(Unopenable, match="drawn in frame odom"):
        opening("e1", elsewhere, hello(), planner="policy", seed=1, code_version="test")


SITES = [
    ("name: wet-yard\nregions: [{name: a}]\n", "regions[0].polygon_m is missing"),
    ("name: wet-yard\nregions: [{nmae: a, polygon_m: []}]\n", "regions[0].nmae is no field of a site"),
    ("name: wet-yard\nrules: Keep left.\n", "rules is wrong"),
    ("name: other\n", "name is 'other'"),
    ("- a\n", "holds no fields"),
]


@pytest.mark.parametrize(("text", "says"), SITES, ids=[row[1] for row in SITES])
def test_a_site_that_is_wrong_names_its_field(text: str, says: str) -> None:
    with pytest.raises(WrittenError) as caught:
        read_survey(text, "wet-yard", 0)

    assert says in str(caught.value)
