"""What is open within an evidence tab, as it stands in the address: `CALL.PART:VIEW`, each of them optional.

`CALL` is the seq of a call to the planner, which then stays open while newer ones come; `PART` a block, an
attempt or an action; `VIEW` how it is read. Anything else reads as nothing chosen.
"""

from __future__ import annotations

import re

from msgspec import Struct

_FORM = re.compile(r"(?:(?P<call>[0-9]{1,9})\.)?(?P<part>[0-9]{1,9})?(?::(?P<view>[a-z0-9]{1,20}))?")


class Chosen(Struct, frozen=True, kw_only=True):
    call: int | None = None
    part: int | None = None
    view: str = ""

    def text(self, part: int | None, view: str = "") -> str:
        """The address of another part of the same call."""
        call = f"{self.call}." if self.call is not None else ""
        return f"{call}{part if part is not None else ''}{f':{view}' if view else ''}"


def read_chosen(text: str) -> Chosen:
    found = _FORM.fullmatch(text)
    if found is None:
        return Chosen()
    call, part = found["call"], found["part"]
    return Chosen(
        call=int(call) if call else None, part=int(part) if part else None, view=found["view"] or ""
    )
