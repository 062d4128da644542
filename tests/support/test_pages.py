"""The reader of the docs' pages: what it takes for a link, a command and a word in code style."""

from pathlib import Path

import pytest

from tests.support.pages import code_words, commands, leads_somewhere, links

PAGE = """\
# A page's name

See [there](other.md#two-words), [away](https://robots.example/x) and ![seen](pictures/a.png "A").
Run `make test` or set `QUARTERDECK_HOME`.

```yaml
- [not](a-link.md)
```

```bash
$ make run   # and wait
QUARTERDECK_HOME=var .venv/bin/quarterdeck serve \\
    --open
```

| column |
|---|
| `in/a/table.py` |
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "other.md").write_text("## Two words\n\n```\n# Not a heading\n```\n")
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    return page


def test_links_are_those_within_the_project(page: Path) -> None:
    assert links(page) == {"other.md#two-words", "pictures/a.png"}


@pytest.mark.parametrize(
    ("link", "there"),
    [
        ("other.md", True),
        ("other.md#two-words", True),
        ("#a-pages-name", True),
        ("other.md#not-a-heading", False),
        ("pictures/a.png", False),
    ],
)
def test_a_link_leads_to_a_file_and_its_heading(page: Path, link: str, there: bool) -> None:
    assert leads_somewhere(page, link) is there


def test_commands_are_read_from_shell_blocks_and_code_style(page: Path) -> None:
    assert [line for line in commands(page) if line[0] in {"make", "quarterdeck"}] == [
        ["make", "test"],
        ["make", "run"],
        ["quarterdeck", "serve", "--open"],
    ]


def test_code_words_are_found_in_tables_too(page: Path) -> None:
    assert code_words(page) == {"make test", "QUARTERDECK_HOME", "in/a/table.py"}
