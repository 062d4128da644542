"""Reading HTML as a browser would see its skeleton: tags, attributes, and the text between."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    inside: list[str] = field(default_factory=list)

    def get(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def has(self, name: str) -> bool:
        return name in self.attributes

    @property
    def text(self) -> str:
        return " ".join("".join(self.inside).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.unbalanced: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1].tag != tag:
            self.unbalanced.append(tag)
            return
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.inside.append(data)


def elements(html: str) -> list[Element]:
    """Every element in document order. Fails where tags do not nest."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.unbalanced, f"tags do not nest: {reader.unbalanced}"
    return reader.elements


def skeleton(html: str) -> list[tuple[str, tuple[str, ...]]]:
    """Tags with the names of their attributes: what untrusted text must never be able to change."""
    return [(element.tag, tuple(element.attributes)) for element in elements(html)]
