"""A view names its template and the one variable it is known by there."""

from __future__ import annotations

from typing import ClassVar

from jinja2 import Environment
from msgspec import Struct


class View(Struct, frozen=True, kw_only=True):
    """The context of one template. A page includes its fragments under the same name: one renderer each."""

    template: ClassVar[str]
    variable: ClassVar[str]


def render(environment: Environment, view: View) -> str:
    return environment.get_template(view.template).render({view.variable: view})
