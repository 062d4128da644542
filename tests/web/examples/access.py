"""Accounts, one's own access, and the page of the API."""

import msgspec

from backend.web.api.page import api_page
from backend.web.builders.access import roles, scopes
from backend.web.pages.access import AccessPage, AccountRow, AccountsPage, ChangeRow, TokenRow
from backend.web.pages.chrome import User
from backend.web.pages.parts import FieldError
from backend.web.pages.view import View
from tests.web.examples.frame import CHROME

ADMIN = msgspec.structs.replace(
    CHROME, title="Accounts", user=User(name="admin-1", initials="A1", role="admin")
)
ROWS = (
    AccountRow(name="admin-1", roles=roles("admin"), active=True, signs_in_by="password", is_me=True),
    AccountRow(name="operator-1", roles=roles("operator"), active=True, signs_in_by="password", is_me=False),
    AccountRow(name="viewer-1", roles=roles("viewer"), active=False, signs_in_by="link", is_me=False),
)
ACCOUNTS = AccountsPage(
    chrome=ADMIN,
    rows=ROWS,
    roles=roles("operator"),
    changes=(
        ChangeRow(utc="2026-11-30 14:06:51", actor="admin-1", what="Account changed", subject="viewer-1"),
        ChangeRow(utc="2026-11-30 14:01:12", actor="anyone", what="Sign-in failed", subject="operator-9"),
    ),
)
SHORT = FieldError(field="password", message="The password has 5 characters.", remedy="Give at least 10.")
DAYS = FieldError(field="days", message="A token lasts 1 to 366 days.", remedy="Give such a number.")
WATCH = TokenRow(
    id="3f9a0c71be22",
    label="night watch",
    owner="operator-1",
    scopes="read, hold",
    made="2026-11-01",
    ends="2026-12-01",
    used="2:10 ago",
    is_over=False,
)
ACCESS = AccessPage(
    chrome=msgspec.structs.replace(CHROME, title="Your access"),
    rows=(WATCH, msgspec.structs.replace(WATCH, id="77aa0c71be22", label="No label", is_over=True)),
    scopes=scopes("operator", ["read"]),
    has_password=True,
)
EPISODES = {"schema": {"$ref": "#/components/schemas/Episodes"}}
REASON = {"schema": {"properties": {"reason": {"type": "string"}}}}
DESCRIBED = {
    "tags": [{"name": "Episodes"}, {"name": "Commands"}],
    "paths": {
        "/api/v1/episodes": {
            "get": {
                "operationId": "episodes",
                "tags": ["Episodes"],
                "summary": "List episodes",
                "description": "What needs a person first.\n\nScope: `read`, to see episodes.",
                "parameters": [
                    {"name": "limit", "in": "query", "required": False, "schema": {"type": "integer"}}
                ],
                "responses": {"200": {"content": {"application/json": EPISODES}}},
            }
        },
        "/api/v1/episodes/{episode}/commands/hold": {
            "post": {
                "operationId": "command_hold",
                "tags": ["Commands"],
                "summary": "Hold",
                "description": "Stop the robot now.\n\nScope: `hold`, to stop a robot.",
                "parameters": [],
                "requestBody": {"content": {"application/json": REASON}},
                "responses": {"403": {}},
            }
        },
    },
}
EXAMPLES: dict[str, View] = {
    "accounts": ACCOUNTS,
    "accounts/refused": msgspec.structs.replace(ACCOUNTS, name="kim", errors=(SHORT,)),
    "accounts/row refused": msgspec.structs.replace(
        ACCOUNTS, rows=(ROWS[0], msgspec.structs.replace(ROWS[1], errors=(SHORT,)), ROWS[2])
    ),
    "access": ACCESS,
    "access/made": msgspec.structs.replace(ACCESS, made="qdt_kz8u0FFlSm0IMbJoJIPSOXiF5R0vLtZVM00NcZpvB2s"),
    "access/none": msgspec.structs.replace(ACCESS, rows=(), has_password=False),
    "access/refused": msgspec.structs.replace(ACCESS, days="1000", errors=(DAYS,)),
    "api": api_page(msgspec.structs.replace(CHROME, title="API"), DESCRIBED),
}
