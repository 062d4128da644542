"""The Jinja environment: every value is text, every name must exist, every address is built in one place.

Threat: model output, robot strings and operators' words are untrusted. Markup is escaped by `autoescape`;
characters that reorder or hide text (CVE-2021-42574, "Trojan Source") would still lie to the reader, so
`finalize` writes them out. It also cuts what is longer than a person reads at once, and says by how much: a
value of a megabyte, printed at twenty places, would make a page of twenty. What may be longer says so in its
template: `upto(n)` of a text to be read, `whole` of one that is typed and must come back as it was.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

LONGEST = 25_000
"""Characters of one value; a plan's rationale has at most 20,000."""
LONGEST_ADDRESS = 2_000
_DECEIVING = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def environment(root: Path) -> Environment:
    """`root` is the folder of the templates."""
    made = Environment(
        loader=FileSystemLoader(root),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_written,
    )
    made.globals["url"] = url
    made.filters["urlencode"] = _quoted
    made.filters["upto"] = _Long
    made.filters["whole"] = lambda text: _Long(text, len(text))
    return made


def url(*parts: str | int, **query: str | int | None) -> str:
    """A path of this console: parts and query are quoted, a query value of None is left out."""
    path = "/" + "/".join(_quoted(part) for part in parts)
    asked = "&".join(f"{key}={_quoted(value)}" for key, value in query.items() if value is not None)
    return f"{path}?{asked}" if asked else path


def _quoted(value: object) -> str:
    """For a place in an address or an id. A lone surrogate has no bytes, so it becomes a question mark; what
    is too long for any address leads nowhere, cut or not."""
    return quote(str(value)[:LONGEST_ADDRESS].encode("utf-8", "replace"), safe="")


def visible(text: str) -> str:
    """`text` with each character that would reorder, hide or break what is read written as ⟨U+202E⟩.

    A form's fields come with CR LF between their lines: that is a line's end and no more.
    """
    return _DECEIVING.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text.replace("\r\n", "\n"))


def _written(value: object) -> object:
    if value is None:
        raise TypeError("a template printed None: the context should have said it in words")
    return value if isinstance(value, Markup) else visible(_cut(value))


class _Long:
    """A text of which more than usual is shown."""

    def __init__(self, text: str, most: int) -> None:
        self.text = text
        self.most = most


def _cut(value: object) -> str:
    text, most = (value.text, value.most) if isinstance(value, _Long) else (str(value), LONGEST)
    return text if len(text) <= most else f"{text[:most]}… and {len(text) - most:,} more characters"
