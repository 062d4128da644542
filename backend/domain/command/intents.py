"""Intents: an operator's actions as recorded in the inbox.
They command nothing until `decide` has judged them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from backend.domain.command.policy import Policy
from backend.domain.memory.corrections import Correction
from backend.domain.plans.plan import Step


class Hold(Struct, frozen=True, kw_only=True, tag="hold"):
    """Stop the robot now. `stop_id` is the one the bridge was told directly as well."""

    stop_id: str
    reason: str = ""


class Release(Struct, frozen=True, kw_only=True, tag="release"):
    """Second of two steps: the operator has said that the area is clear and releases all stops named."""

    stop_ids: tuple[str, ...]


class Abort(Struct, frozen=True, kw_only=True, tag="abort"):
    stop_id: str
    reason: str = ""


class Approve(Struct, frozen=True, kw_only=True, tag="approve"):
    """Carries the digests of what the page showed; anything else is refused."""

    approval_id: str
    plan_digest: str
    pins_digest: str


class Reject(Struct, frozen=True, kw_only=True, tag="reject"):
    """A deny counts even late: a plan already running is stopped by `stop_id`."""

    approval_id: str
    reason: str
    stop_id: str


class Propose(Struct, frozen=True, kw_only=True, tag="propose"):
    """A plan composed by a person who was shown the state at `seen_seq`; validated like any other."""

    steps: tuple[Step, ...]
    seen_seq: int
    rationale: str = ""


class Edit(Struct, frozen=True, kw_only=True, tag="edit"):
    """A person's version of what is left of the plan that waits.
    It carries what the page showed, as an approval does; saving it approves nothing."""

    approval_id: str
    plan_digest: str
    pins_digest: str
    steps: tuple[Step, ...]
    seen_seq: int
    rationale: str = ""


class SetPolicy(Struct, frozen=True, kw_only=True, tag="set_policy"):
    """Who is asked from now on. `shown`: the digest of the policy that the page showed."""

    policy: Policy
    shown: str


class Instruct(Struct, frozen=True, kw_only=True, tag="instruct"):
    """The mission's standing instructions from now on; empty takes them back. `shown`: the text that the page
    showed."""

    text: str
    shown: str


class AskAgain(Struct, frozen=True, kw_only=True, tag="ask_again"):
    """Ask for a plan again after the planner failed, its plan was refused, or an approval expired."""


class Guide(Struct, frozen=True, kw_only=True, tag="guide"):
    text: str


class Correct(Struct, frozen=True, kw_only=True, tag="correct"):
    """A person's correction of memory. `seen`: the revision of each record it names, as the page showed it;
    `blast`: the digest of the consequences that were shown and confirmed."""

    correction: Correction
    seen: Mapping[str, int] = {}
    blast: str = ""
    reason: str = ""


class TakeConn(Struct, frozen=True, kw_only=True, tag="take_conn"):
    """Take the conn: where nobody has it, from a holder who let the request for it pass, or as an admin.

    `over` names the holder it is taken from, so that nobody is overtaken unawares.
    """

    over: str | None = None


class AskConn(Struct, frozen=True, kw_only=True, tag="ask_conn"):
    """Ask the holder for the conn. Without an answer it may be taken over after a grace period."""

    reason: str = ""


class HandOverConn(Struct, frozen=True, kw_only=True, tag="hand_over_conn"):
    """The holder gives the conn to whoever asked for it."""

    to: str


class KeepConn(Struct, frozen=True, kw_only=True, tag="keep_conn"):
    """The holder refuses the request of `asked_by` and keeps the conn."""

    asked_by: str
    reason: str = ""


class RenewConn(Struct, frozen=True, kw_only=True, tag="renew_conn"):
    """The holder's page is alive."""


class GiveUpConn(Struct, frozen=True, kw_only=True, tag="give_up_conn"):
    """The holder lets go."""


class Resolve(Struct, frozen=True, kw_only=True, tag="resolve"):
    """A person says what became of a dispatch that no ledger remembers."""

    dispatch_id: str
    executed: bool
    account: str


class Attempted(Struct, frozen=True, kw_only=True, tag="attempted"):
    """What was refused before it could become a command, for the journal: refused as is said here.

    `what` was tried, `code`, `message` and `remedy` are the refusal.
    """

    what: str
    code: str
    message: str
    remedy: str = ""


Action = (
    Hold
    | Release
    | Abort
    | Approve
    | Reject
    | Propose
    | Edit
    | SetPolicy
    | Instruct
    | AskAgain
    | Guide
    | Correct
    | TakeConn
    | AskConn
    | HandOverConn
    | KeepConn
    | RenewConn
    | GiveUpConn
    | Resolve
    | Attempted
)


def kind_of(action: Action) -> str:
    return str(type(action).__struct_config__.tag)


UNSENDABLE = (Attempted,)
"""Made by the console itself: nobody sends them."""

STOPPING = (Hold, Abort, Reject)
"""Taken before everything else in a tick, and honoured when overdue."""


COMMANDING = ("operator", "admin")
"""Roles that may command. Anyone signed in may hold."""


class Intent(Struct, frozen=True, kw_only=True):
    """`not_after_s` is on the database's clock; past it only stopping intents count.
    `role` is the actor's at sending."""

    id: str
    actor: str
    role: str
    action: Action
    not_after_s: float


class Settlement(Struct, frozen=True, kw_only=True):
    """What became of an intent.
    `applied` False carries the refusal in the operator's words and what to do."""

    intent_id: str
    applied: bool
    code: str = "applied"
    message: str = ""
    remedy: str = ""
