"""What takes room, in words and bars; what rules would let go, oldest first, and what they keep and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from backend.domain.retention.rules import Rules, Ruling
from backend.domain.retention.told import Gone, MissionUse, Preview, Usage
from backend.web.pages import figures
from backend.web.pages.chrome import Chrome
from backend.web.pages.environment import url
from backend.web.pages.parts import FieldError, Gauge, Link, Notice
from backend.web.pages.storage import GoingRow, KeptRow, Proposal, RulesForm, StoragePage, UseRow

LISTED = 200
UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


def size_of(count: int) -> str:
    """12 bytes, 3.4 MB: decimal, as disks are sold."""
    size, unit = float(count), 0
    while size >= 999.5 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f} {UNITS[unit]}" if unit == 0 or size >= 99.95 else f"{size:.1f} {UNITS[unit]}"


def storage_page(
    chrome: Chrome,
    usage: Usage,
    form: RulesForm | None,
    preview: Preview | None,
    errors: tuple[FieldError, ...] = (),
    notice: Notice | None = None,
) -> StoragePage:
    count, size = usage.unnamed
    told = "no episode shows them. They go with the next deletion."
    spare = f"{_counted(count, 'picture')} ({size_of(size)}); {told}"
    return StoragePage(
        chrome=chrome,
        room=_room(usage),
        kinds=_kinds(usage),
        missions=_missions(usage.missions),
        spare=spare if count else "",
        form=form,
        proposal=_proposal(preview) if preview is not None and form is not None else None,
        errors=errors,
        notice=notice or _warning(usage),
    )


def gone_notice(gone: Gone) -> Notice:
    waits = " Its pictures go once no runner is at work: delete again then." if gone.pictures_wait else ""
    told = f"{_counted(gone.pictures, 'picture')}, {size_of(gone.bytes)} in all.{waits} It is in the audit."
    return Notice(icon="ok", title=f"Deleted {_counted(len(gone.episodes), 'episode')}.", text=told)


def _warning(usage: Usage) -> Notice | None:
    room, free = usage.room, size_of(usage.room.free_bytes)
    if room.state == "out":
        text = "When nothing can be written, runners stop and robots are held. Make room now."
        return Notice(icon="bad", title=f"Only {free} are free.", text=text, tone="alarm")
    if room.state == "scarce":
        text = "Let old episodes go, or give the disk more room."
        return Notice(icon="warn", title=f"{free} are free, which is little.", text=text, tone="caution")
    return None


def _room(usage: Usage) -> str:
    room = usage.room
    share = figures.percent(room.free_bytes / room.total_bytes) if room.total_bytes else figures.NONE
    return f"{size_of(room.free_bytes)} of {size_of(room.total_bytes)} free ({share})"


def _kinds(usage: Usage) -> tuple[UseRow, ...]:
    total = sum(size for _, size in usage.kinds) or 1
    return tuple(
        UseRow(name=name, size=Gauge(text=size_of(size), share=size / total)) for name, size in usage.kinds
    )


def _missions(missions: Sequence[MissionUse]) -> tuple[UseRow, ...]:
    total = sum(each.bytes + each.picture_bytes for each in missions) or 1
    return tuple(
        UseRow(
            name=each.mission or "Not begun",
            note=_counted(each.episodes, "episode"),
            size=Gauge(
                text=size_of(each.bytes + each.picture_bytes), share=(each.bytes + each.picture_bytes) / total
            ),
        )
        for each in missions
    )


def _proposal(preview: Preview) -> Proposal:
    going = [each for each in preview.rulings if each.goes]
    kept = Counter(each.reason for each in preview.rulings if not each.goes)
    pictures = _counted(preview.pictures, "picture")
    episodes = _counted(preview.episodes, "episode")
    return Proposal(
        summary=f"{episodes} would go, with {pictures}: {size_of(preview.bytes)}."
        if going
        else "Nothing would go.",
        going=tuple(_going(each) for each in going[:LISTED]),
        more=f"And {len(going) - LISTED:,} more." if len(going) > LISTED else "",
        kept=tuple(
            KeptRow(reason=reason, count=_counted(count, "episode")) for reason, count in kept.most_common()
        ),
        digest=preview.digest,
        confirm=f"Delete {episodes} for good" if going else "",
    )


def _going(ruling: Ruling) -> GoingRow:
    candidate = ruling.candidate
    return GoingRow(
        episode=Link(label=candidate.episode, href=url("episodes", candidate.episode)),
        title=candidate.title,
        outcome=candidate.outcome,
        reason=ruling.reason,
        size=f"{size_of(candidate.bytes)}, {_counted(len(candidate.pictures), 'picture')}",
    )


def form_of(rules: Rules) -> RulesForm:
    return RulesForm(
        keep_days=f"{rules.keep_days:g}",
        keep_failed=rules.keep_failed,
        keep_annotated=rules.keep_annotated,
        keep_tags=" ".join(rules.keep_tags),
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
