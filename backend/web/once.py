"""A secret told once: it goes with the browser from the form's answer to the page that shows it.

So a reload of that page makes no second secret and shows none. Any of several web processes may show it, and
none has to keep it. Threat: a cookie is sent along later, or was put there by somebody. So it lasts a minute,
goes to its page alone, and whoever shows it asks first whose secret it is.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import Response

COOKIE = "qd_once"
LASTS_S = 60
LONGEST = 200


def carry(response: Response, secret: str, path: str, is_https: bool) -> Response:
    response.set_cookie(
        _name(is_https), secret, max_age=LASTS_S, path=path,
        httponly=True, samesite="strict", secure=is_https,
    )  # fmt: skip
    return response


def carried(headers: Headers, is_https: bool) -> str:
    """What came along; empty for nothing."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(_name(is_https))
    except CookieError:
        return ""
    return found.value if found is not None and len(found.value) <= LONGEST else ""


def drop(response: Response, path: str, is_https: bool) -> Response:
    response.delete_cookie(_name(is_https), path=path, httponly=True, samesite="strict", secure=is_https)
    return response


def _name(is_https: bool) -> str:
    """Over TLS one that only an answer over TLS can have set. (`__Host-` would go to every page.)"""
    return f"__Secure-{COOKIE}" if is_https else COOKIE
