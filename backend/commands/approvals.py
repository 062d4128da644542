"""`quarterdeck approvals list|approve|reject`: what waits, and a decision on exactly what was read."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backend.commands.failures import Refused, WrongAsked, told_in_one_line
from backend.commands.options import Home, Json, print_json, print_table
from backend.commands.remote import Api, Episode, Server, api

app = typer.Typer(no_args_is_help=True, help="Plans that wait for a person.")

SHOWN = 12
SHORTEST = 8
Digest = Annotated[
    str, typer.Argument(help="As `approvals list` shows it: the decision counts for that and nothing else.")
]


@app.command("list")
def list_approvals(
    context: typer.Context, server: Server = None, home: Home = None, as_json: Json = False
) -> None:
    """What waits, with its steps and what the policy found."""
    with told_in_one_line(), api(context, home, server) as console:
        found = console.get("/approvals")["approvals"]
    if as_json:
        print_json(found)
        return
    if not found:
        typer.echo("Nothing waits for approval.")
        return
    print_table(
        ("EPISODE", "PLAN", "DIGEST", "CONN", "STEPS", "RISKS"),
        [
            (
                each["episode"],
                each["plan_number"],
                each["pins_digest"][:SHOWN],
                each["conn"] or "-",
                "; ".join(each["steps"]),
                "; ".join(each["risks"]) or "-",
            )
            for each in found
        ],
    )


@app.command("approve")
def approve(
    context: typer.Context, episode: Episode, digest: Digest, server: Server = None, home: Home = None
) -> None:
    """Approve exactly the plan of that digest. Needs the conn, and takes it where nobody has it."""
    with told_in_one_line(), api(context, home, server) as console:
        read = _waiting(console, episode, digest)
        names = ("approval_id", "plan_digest", "pins_digest")
        console.command(episode, "approve", **{name: read[name] for name in names})
    typer.echo(f"Approved plan {read['plan_number']} of {episode}.")


@app.command("reject")
def reject(
    context: typer.Context,
    episode: Episode,
    digest: Digest,
    reason: Annotated[str, typer.Option(help="Why; the planner is sent it.", prompt=True)],
    server: Server = None,
    home: Home = None,
) -> None:
    """Reject it, with the reason. Counts even late: a plan that runs is stopped."""
    with told_in_one_line(), api(context, home, server) as console:
        if not reason.strip():
            raise WrongAsked("A rejection needs a reason. Give --reason.")
        read = _waiting(console, episode, digest)
        console.command(episode, "reject", approval_id=read["approval_id"], reason=reason.strip())
    typer.echo(f"Rejected plan {read['plan_number']} of {episode}.")


def _waiting(console: Api, episode: str, digest: str) -> dict[str, Any]:
    """What was read, if it waits still."""
    if len(digest) < SHORTEST:
        raise WrongAsked(f"A digest has at least {SHORTEST} characters; see quarterdeck approvals list.")
    found: list[dict[str, Any]] = console.get("/approvals")["approvals"]
    mine = [each for each in found if each["episode"] == episode]
    if not mine:
        raise Refused(f"Nothing of {episode} waits for approval. Look again: quarterdeck approvals list")
    if not mine[0]["pins_digest"].startswith(digest):
        now = mine[0]["pins_digest"][:SHOWN]
        raise Refused(f"What waits now is {now}, not {digest[:SHOWN]}. Read it: quarterdeck approvals list")
    return mine[0]
