"""Everything that the web itself refuses, in the operator's words.

WebError
├── SignedOut       401: nobody is signed in, or no longer
├── Forbidden       403: signed in, and not allowed this
│   └── ForeignPage the request comes from a page of another origin
├── NotThere        404: no such episode, event, frame or page
│   └── NotBegun    503: ordered, and its runner is still starting: look again
├── TooLate         409: what the page showed is no longer so
├── TooLarge        413: a body that is larger than any of ours
├── Malformed       422: a field that cannot be read
├── TooMany         429: tried too often
└── Unanswered      424: something behind the console did not answer
"""

from __future__ import annotations


class WebError(Exception):
    """`title` says what is wrong, `remedy` what to do, `kept` what was not lost. `code`: the same for a
    program; `field`: what of the request it is about; `way`: label and address of the page that says more.
    `is_on_record`: the episode's runner refused it, so its journal has it already."""

    status = 400
    code = "refused"
    is_on_record = False

    def __init__(
        self,
        title: str,
        *,
        text: str = "",
        remedy: str = "",
        kept: str = "",
        code: str = "",
        field: str = "",
        way: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(title)
        self.code = code or self.code
        self.field = field
        self.title = title
        self.text = text
        self.remedy = remedy
        self.kept = kept
        self.way = way


class SignedOut(WebError):
    """Nobody is signed in, or the session has ended."""

    status = 401
    code = "signed_out"


class Forbidden(WebError):
    """Who is signed in may not do this."""

    status = 403
    code = "forbidden"


class ForeignPage(Forbidden):
    """A page of another origin sent this in the name of whoever is signed in here."""

    code = "origin"


class NotThere(WebError):
    """No such thing."""

    status = 404
    code = "not_found"


class NotBegun(NotThere):
    """The episode was ordered, and nothing of it is journalled yet."""

    status = 503
    code = "not_begun"


class TooLate(WebError):
    """Something changed since the page was shown."""

    status = 409
    code = "changed"


class TooLarge(WebError):
    """A request's body is larger than anything that is asked for."""

    status = 413
    code = "too_large"


class TooMany(WebError):
    """Tried too often; the remedy says how long to wait."""

    status = 429
    code = "too_many"


class Malformed(WebError):
    """A parameter or field cannot be read."""

    status = 422
    code = "malformed"


class Unanswered(WebError):
    """The database, the runner or the bridge did not answer."""

    status = 424
    code = "unanswered"
