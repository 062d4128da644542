"""The page of storage: for a viewer, for an admin with what would go, and on a disk that is nearly full."""

from __future__ import annotations

from msgspec.structs import replace

from backend.web.pages.parts import FieldError, Gauge, Link, Notice
from backend.web.pages.storage import GoingRow, KeptRow, Proposal, RulesForm, StoragePage, UseRow
from backend.web.pages.view import View
from tests.web.examples.access import ADMIN
from tests.web.examples.frame import CHROME

PAGE = StoragePage(
    chrome=replace(CHROME, title="Storage"),
    room="41.2 GB of 250 GB free (16 %)",
    kinds=(
        UseRow(name="Pictures", size=Gauge(text="3.1 GB", share=0.71)),
        UseRow(name="Journals", size=Gauge(text="1.2 GB", share=0.27)),
        UseRow(name="Search index, a cache", size=Gauge(text="88 MB", share=0.02)),
    ),
    missions=(
        UseRow(name="recycling-dn14", note="214 episodes", size=Gauge(text="3.8 GB", share=0.88)),
        UseRow(name="recycling-s6", note="31 episodes", size=Gauge(text="0.5 GB", share=0.12)),
    ),
)
GOING = replace(
    PAGE,
    chrome=replace(ADMIN, title="Storage"),
    spare="12 pictures (3.4 MB); no episode shows them. They go with the next deletion.",
    form=RulesForm(keep_days="90", keep_failed=True, keep_annotated=True, keep_tags="good-example"),
    proposal=Proposal(
        summary="2 episodes would go, with 41 pictures: 12.4 MB.",
        going=(
            GoingRow(
                episode=Link(label="recycling-dn14-0102", href="/episodes/recycling-dn14-0102"),
                title="Sort the recycling of lab B",
                outcome="completed",
                reason="last written to 120 days ago",
                size="4.1 MB, 30 pictures",
            ),
        ),
        kept=(KeptRow(reason="younger than 90 days", count="38 episodes"),),
        digest="9f3a",
        confirm="Delete 2 episodes for good",
        more="And 1 more.",
    ),
)
UNTICKED = FieldError(field="confirmed", message="Nothing was deleted.", remedy="Tick the box first.")

EXAMPLES: dict[str, View] = {
    "storage": PAGE,
    "storage/going": GOING,
    "storage/unconfirmed": replace(GOING, errors=(UNTICKED,)),
    "storage/full": replace(
        PAGE,
        notice=Notice(
            icon="bad",
            title="Only 0.3 GB are free.",
            text="Runners stop when nothing can be written.",
            tone="alarm",
        ),
    ),
}
