"""The printable report as one file that opens without a server: its styles within, no script, no link."""

from __future__ import annotations

import re

from backend.web.builders import report
from backend.web.builders.report import report_page
from backend.web.chronicle import Chronicles
from backend.web.deps import Deps
from backend.web.desk import Desk
from backend.web.pages.chrome import User
from backend.web.pages.environment import environment
from backend.web.pages.view import render
from backend.web.surround import chrome

NOBODY = User(name="", initials="", role="viewer")

_SHEET = re.compile(r'<link rel="stylesheet" href="/static/css/([a-z-]+)\.css">')
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_SPRITE = re.compile(r'<svg class="sprite".*?</svg>', re.DOTALL)
_MAIN = re.compile(r'<main class="report".*?</main>', re.DOTALL)
_LINK = re.compile(r"<a [^>]*>(.*?)</a>", re.DOTALL)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_alone(deps: Deps, episode: str) -> str:
    """An HTML document. Raises the store's error for an unknown episode, NotBegun."""
    desk = Desk(deps, Chronicles(deps.reader), lambda _: {})
    now = desk.moment(episode, NOBODY)
    entries = deps.reader.events(episode, until=now.state.seq, kinds=report.KINDS, limit=None)
    shown = chrome(f"Report of {episode}", None, None, deps.clock_s())
    page = report_page(shown, now, deps.reader.episode(episode), entries, desk.map(now))
    return _alone(deps, render(environment(deps.settings.templates), page))


def _alone(deps: Deps, html: str) -> str:
    sheets = [deps.settings.static / "css" / f"{name}.css" for name in _SHEET.findall(html)]
    styles = "\n".join(sheet.read_text("utf-8") for sheet in sheets)
    main = _LINK.sub(r"\1", _part(_MAIN, html))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"{_part(_TITLE, html)}\n<style>\n{styles}\n</style>\n</head>\n"
        f'<body>\n{_part(_SPRITE, html)}\n<div class="report-page">\n{main}\n</div>\n</body>\n</html>\n'
    )


def _part(pattern: re.Pattern[str], html: str) -> str:
    found = pattern.search(html)
    assert found is not None, "the report's page has title, sprite and main"
    return found[0]
