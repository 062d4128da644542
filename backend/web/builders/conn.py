"""Who commands the live episode, and what this person may do about it now."""

from __future__ import annotations

import math

from backend.domain.command import conn as domain
from backend.domain.command.intents import COMMANDING
from backend.web.builders import words
from backend.web.builders.moment import Moment
from backend.web.pages import figures
from backend.web.pages.conn import Conn, ConnRequest, Offer
from backend.web.pages.parts import Phrase, Tone, plain, strong


def conn(moment: Moment) -> Conn:
    """While replaying, the offers are drawn and cannot be used."""
    held, viewer = moment.conn, moment.viewer
    may = viewer.role in COMMANDING and not moment.is_over
    if held is None:
        offers: tuple[Offer, ...] = ("take",) if may else ()
        return Conn(label="Nobody has the conn", who=figures.NONE, initials=figures.NONE, offers=offers)
    if held.holder == viewer.name:
        return _mine(moment, held, may)
    return Conn(
        label="Has the conn",
        who=held.holder,
        initials=words.initials(held.holder),
        offers=_offers(moment, held) if may else (),
        other=held.holder,
        request=_my_request(moment, held) if may and moment.is_live else None,
    )


def _mine(moment: Moment, held: domain.Conn, may: bool) -> Conn:
    asked = _counted(moment, held)
    return Conn(
        label="You have the conn",
        who=moment.viewer.name if moment.is_live else "Live, not here",
        initials=moment.viewer.initials,
        offers=("give_up",) if may else (),
        other=asked.by if asked is not None else "",
        request=_asked_of_me(moment, asked) if asked is not None and moment.is_live else None,
    )


def _offers(moment: Moment, held: domain.Conn) -> tuple[Offer, ...]:
    """Asking comes first; an admin need not."""
    over: tuple[Offer, ...] = ("take_over",) if moment.viewer.role == "admin" else ()
    return over if _counted(moment, held) is not None or _kept(moment, held) else ("ask", *over)


def _asked_of_me(moment: Moment, asked: domain.ConnRequest) -> ConnRequest:
    text: Phrase = (strong(asked.by), plain(f" asks for the conn{_said(asked.reason)}"))
    if asked.left_s(moment.now.now_s) <= 0:
        text = (*text, plain(" They may take it over now."))
    return _timed(moment, asked, text, "ask", ("hand_over", "keep"))


def _my_request(moment: Moment, held: domain.Conn) -> ConnRequest | None:
    if _kept(moment, held):
        said = _said(held.asked.reason if held.asked is not None else "")
        return ConnRequest(text=(strong(held.holder), plain(f" keeps the conn{said}")), offers=("ask",))
    asked = _counted(moment, held)
    if asked is None:
        return None
    if asked.by != moment.viewer.name:
        return ConnRequest(text=(strong(asked.by), plain(f" has asked {held.holder} for the conn.")))
    if asked.left_s(moment.now.now_s) > 0:
        return _timed(moment, asked, (plain(f"You asked {held.holder} for the conn."),), "quiet", ())
    text = (strong(held.holder), plain(" did not answer."))
    return ConnRequest(text=text, tone="ask", offers=("take_over",))


def _timed(
    moment: Moment, asked: domain.ConnRequest, text: Phrase, tone: Tone, offers: tuple[Offer, ...]
) -> ConnRequest:
    left_s = asked.left_s(moment.now.now_s)
    if left_s <= 0:
        return ConnRequest(text=text, tone=tone, offers=offers)
    return ConnRequest(
        text=text,
        tone=tone,
        offers=offers,
        ends_ms=int((asked.asked_s + domain.GRACE_S) * 1000),
        left=figures.countdown(left_s),
        look_again_s=math.ceil(left_s),
    )


def _said(reason: str) -> str:
    return f": “{reason}”" if reason else "."


def _counted(moment: Moment, held: domain.Conn) -> domain.ConnRequest | None:
    asked = held.asked
    return asked if asked is not None and asked.counts(moment.now.now_s) else None


def _kept(moment: Moment, held: domain.Conn) -> bool:
    """Whether the holder has refused this person, and not long ago."""
    asked = held.asked
    if asked is None or not asked.kept or asked.by != moment.viewer.name:
        return False
    return moment.now.now_s < asked.asked_s + domain.GRACE_S + domain.ASKED_FOR_S
