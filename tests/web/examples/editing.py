"""The plan editor: open on a plan that waits, refused to the field, and with nothing to start from."""

import msgspec

from backend.web.pages.editor import Base, Control, Editor, EditorRow, Group, Part
from backend.web.pages.parts import Choice, FieldError, Mark, Notice, plain, strong
from backend.web.pages.view import View

SKILLS = tuple(
    Choice(value=name, label=name, text=text)
    for name, text in (("navigate", "Drive there."), ("grasp", "Pick it up."), ("explore", "Look there."))
)


def chosen(choices: tuple[Choice, ...], value: str) -> tuple[Choice, ...]:
    return tuple(msgspec.structs.replace(each, chosen=each.value == value) for each in choices)


def row(number: int, skill: str, *controls: Control, change: str = "", count: int = 3) -> EditorRow:
    return EditorRow(
        id=f"r{number}",
        number=str(number),
        skill=skill,
        skills=chosen(SKILLS, skill),
        text="Drive there.",
        controls=controls,
        change=change,
        is_first=number == 1,
        is_last=number == count,
    )


def entity(number: int, name: str, value: str, **more: object) -> Control:
    ids = tuple(
        Choice(value=f"id:{id}", label=f"{id} · 5.34, 7.38 m", chosen=value == id)
        for id in ("can_04", "can_07", "can_12")
    )
    return Control(
        field=f"r{number}.{name}",
        name=f"r{number}.{name}",
        id=f"editor-r{number}-{name}",
        label=name,
        groups=(
            Group(label="", choices=(Choice(value="", label="Choose", chosen=not value),)),
            Group(label="To collect", choices=ids),
            Group(label="Stations", choices=(Choice(value="id:station_metal", label="station_metal"),)),
            Group(label="Written", choices=(Choice(value="cell", label="A cell, by x and y"),)),
        ),
        belief="can at 5.34, 7.38 m, 0.71, seen 12 s ago" if value else "",
        **more,  # type: ignore[arg-type]
    )


CELL = Control(
    field="r3.cell",
    name="r3.cell",
    id="editor-r3-cell",
    label="cell",
    help="Where to look.",
    parts=(
        Part(name="r3.cell.x", id="editor-r3-cell-x", label="x, cells", value="3", mode="numeric"),
        Part(name="r3.cell.y", id="editor-r3-cell-y", label="y, cells", value="two", mode="numeric"),
    ),
)
WATCH = Control(
    field="r2.watch",
    name="r2.watch",
    id="editor-r2-watch",
    label="Watch",
    groups=(
        Group(
            label="",
            choices=(
                Choice(value="", label="Nothing"),
                Choice(value="all", label="Every frame", chosen=True),
            ),
        ),
    ),
    parts=(
        Part(
            name="r2.watch.camera",
            id="editor-r2-watch-camera",
            label="Camera",
            value="overhead",
            choices=(Choice(value="overhead", label="overhead", chosen=True),),
        ),
    ),
)
BASE = Base(approval="a-14", plan_digest="9f3a" * 16, pins_digest="71c0" * 16)
EDITOR = Editor(
    episode="0417",
    viewer="operator-2",
    title="Edit plan 14",
    rows=(
        row(1, "navigate", entity(1, "to", "can_07")),
        row(2, "grasp", entity(2, "target", "can_07"), WATCH, change="Changed"),
        row(
            3,
            "explore",
            msgspec.structs.replace(
                CELL, parts=(CELL.parts[0], msgspec.structs.replace(CELL.parts[1], value="2"))
            ),
            change="Added",
        ),
    ),
    seen_seq=1904,
    save="Save as my plan",
    base=BASE,
    edited=BASE.plan_digest,
    changes=(
        Mark(icon="replan", text=(strong("Changed"), plain(" step 2, grasp: watch nothing → every frame"))),
        Mark(icon="plus", text=(strong("Added"), plain(" as step 3: explore (3, 2)"))),
    ),
    verdict=Mark(icon="ok", text=(plain("Valid: 3 steps, plan 71c0."),)),
    may_save=True,
)
REFUSED = msgspec.structs.replace(
    EDITOR,
    rows=(
        row(
            1,
            "navigate",
            entity(
                1,
                "to",
                "",
                errors=(FieldError(field="r1.to", message="navigate lacks it.", remedy="Give an entity."),),
            ),
        ),
        EDITOR.rows[1],
        row(
            3,
            "explore",
            msgspec.structs.replace(
                CELL,
                errors=(
                    FieldError(
                        field="r3.cell", message="“two” is no number.", remedy="Write a number for y."
                    ),
                ),
            ),
        ),
    ),
    findings=(
        Mark(
            icon="bad", text=(plain("Step 3 cell: “two” is no number. Write a number for y."),), tone="alarm"
        ),
        Mark(icon="bad", text=(plain("Step 1 to: navigate lacks it. Give an entity."),), tone="alarm"),
    ),
    verdict=None,
    may_save=False,
    meanwhile=Mark(
        icon="stale", text=(plain("Pose of can_07 changed while you were editing."),), tone="caution"
    ),
    notice=Notice(
        icon="stale",
        title="The plan that you edited no longer waits.",
        text="Your steps are kept.",
        tone="caution",
    ),
    answers=True,
)
BLANK = Editor(
    episode="0417",
    viewer="operator-2",
    title="A plan of your own",
    rows=(row(1, "navigate", entity(1, "to", ""), count=1),),
    seen_seq=12,
    save="Propose this plan",
    findings=(Mark(icon="bad", text=(plain("Step 1 to: navigate lacks it."),), tone="alarm"),),
    may_discard=False,
)
EXAMPLES: dict[str, View] = {
    "editor/edit": EDITOR,
    "editor/refused": REFUSED,
    "editor/blank": BLANK,
    "editor/held": msgspec.structs.replace(
        BLANK, why_not="Held. Release the hold first; your steps are kept."
    ),
}
