"""What an account may be called: whoever types the name has to tell it from every other."""

from __future__ import annotations

from backend.domain.refusal import Refusal

LONGEST_NAME = 60


def refuse_name(name: str) -> Refusal | None:
    """Why this may not become an account's name."""
    if not 0 < len(name) <= LONGEST_NAME:
        return Refusal("name", f"The name has {len(name)} characters.", f"Give 1 to {LONGEST_NAME}.")
    if not name.isprintable() or name != name.strip() or "  " in name:
        return Refusal("name", "The name has blanks where nobody sees them.", "Give printable characters.")
    return None
