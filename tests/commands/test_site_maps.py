"""`quarterdeck sites import|export`: what goes in comes out, and what is no map is one line on stderr."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from backend.processes.exits import Exit
from tests.cli.test_commands import ask_in
from tests.support.homes import new_home

SHADES = np.array([[0, 254, 205], [254, 0, 254]], np.uint8)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    new_home(home)
    return home


@pytest.fixture
def map_file(tmp_path: Path) -> Path:
    Image.fromarray(SHADES).save(tmp_path / "hall.png")
    file = tmp_path / "hall.yaml"
    file.write_text("image: hall.png\nresolution: 0.05\norigin: [1.5, -2.0, 0.5]\nnegate: 0\n")
    return file


def test_a_map_is_imported_listed_and_exported_again(home: Path, map_file: Path) -> None:
    told = ask_in(home, "sites", "import", str(map_file))
    assert (told.exit_code, told.stdout) == (0, "Site hall, version 1\n")
    assert "A map of 3 × 2 cells" in ask_in(home, "sites", "list").stdout
    out = map_file.with_name("again.yaml")
    assert ask_in(home, "sites", "export", "hall", str(out)).exit_code == 0

    assert np.array(Image.open(out.with_suffix(".pgm"))).tolist() == SHADES.tolist()
    assert "- 1.5\n- -2.0\n- 0.5" in out.read_text()


WRONG = [
    pytest.param(("import", "none.yaml"), "none.yaml cannot be read", id="no file"),
    pytest.param(("import", "hall.yaml", "--name", "Hall!"), "will not do", id="no name"),
    pytest.param(("import", "lost.yaml"), "hall-2.png cannot be read", id="no picture"),
    pytest.param(("import", "odd.yaml"), "negate is 3. Give 0", id="a wrong field"),
    pytest.param(("export", "nowhere", "x.yaml"), "Site nowhere is not kept here", id="no site"),
]


@pytest.mark.parametrize(("words", "told"), WRONG)
def test_what_is_wrong_is_one_line_that_names_it(
    home: Path, map_file: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = map_file.read_text()
    map_file.with_name("lost.yaml").write_text(text.replace("hall.png", "hall-2.png"))
    map_file.with_name("odd.yaml").write_text(text.replace("negate: 0", "negate: 3"))
    monkeypatch.chdir(map_file.parent)
    done = ask_in(home, "sites", *words)

    assert done.exit_code == Exit.BAD_INPUT
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
