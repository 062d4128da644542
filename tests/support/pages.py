"""A page of the docs taken apart: its links, headings, commands and code-styled words."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

SHELL = {"bash", "console", "sh", "shell"}
PROMPT = re.compile(r"^\s*(?:\$ )?(?:[A-Z_]+=\S+ +)*(?:\.venv/bin/)?")


def links(page: Path) -> set[str]:
    """The targets of links and pictures that stay within the project."""
    targets = {str(token.attrGet("href") or token.attrGet("src") or "") for token in _tokens(page)}
    return {target for target in targets if target and not re.match(r"[a-z]+:", target)}


def leads_somewhere(page: Path, link: str) -> bool:
    target, _, anchor = link.partition("#")
    file = (page.parent / target).resolve() if target else page
    return file.exists() and (not anchor or file.suffix != ".md" or anchor in _anchors(file))


def code_words(page: Path) -> set[str]:
    """What the page's prose sets in code style."""
    return {token.content for token in _tokens(page) if token.type == "code_inline"}


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each command line in a shell block or in code style, without what may stand before it."""
    for token in _tokens(page):
        if token.type == "code_inline" or (token.type == "fence" and token.info.strip() in SHELL):
            for line in token.content.replace("\\\n", " ").splitlines():
                words = PROMPT.sub("", line.partition(" #")[0]).split()
                if words:
                    yield words


def _anchors(page: Path) -> set[str]:
    tokens = MarkdownIt("commonmark").parse(page.read_text("utf-8"))
    headings = [text.content for opening, text in pairwise(tokens) if opening.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def _tokens(page: Path) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8")):
        yield token
        yield from token.children or ()
