"""What people know of a site, as YAML: the fields of `Survey`; docs/how-to/write-a-mission.md has them."""

from __future__ import annotations

from msgspec.structs import replace

from backend.domain.mission.survey import Survey, flaw_of
from backend.written import WrittenError, read_fields, read_value


def read_survey(text: str, name: str, version: int) -> Survey:
    """Raises WrittenError naming the field and the remedy."""
    place = f"{name}, version {version}" if version else name
    survey = read_value(
        read_fields(text.encode("utf-8", "surrogatepass"), place, "a site"), Survey, place, "a site"
    )
    if survey.name != name:
        raise WrittenError(place, "name", f"is {survey.name!r}", f"Write {name!r}.")
    flaw = flaw_of(survey)
    if flaw is not None:
        raise WrittenError(place, flaw.field, flaw.problem, flaw.remedy)
    return replace(survey, version=version)
