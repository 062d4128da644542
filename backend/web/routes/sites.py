"""Sites' maps: map_server's files taken and given back, the pictures of a floor, and what is drawn on it."""

from __future__ import annotations

import io
import zipfile
from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Request, UploadFile
from msgspec.structs import replace
from starlette.responses import Response

from backend.domain.command.intents import COMMANDING
from backend.domain.mission.floor import OCCUPIED, UNKNOWN, Floor, kinds_of
from backend.domain.mission.survey import Survey
from backend.web.builders.documents import documents_page
from backend.web.builders.drawing import drawing, taken
from backend.web.builders.map import floor_of
from backend.web.console import Console
from backend.web.documents import DocumentRefused, WrittenMeanwhile
from backend.web.errors import Forbidden, NotThere
from backend.web.pages.documents import MapForm
from backend.web.pages.environment import url
from backend.web.pictures import png_of
from backend.web.responses import data, see
from backend.web.routes.data import FOR_EVER
from backend.web.routes.documents import Version, refused_drawing

Kind = Literal["occupied", "known"]


def router(console: Console) -> APIRouter:
    """Before the routes of all documents: `maps` is no name."""
    routes = APIRouter()
    sites = console.deps.sites

    @routes.post("/sites/maps")
    def upload(
        request: Request,
        map: Annotated[UploadFile, File(description="map_server's YAML.")],
        picture: Annotated[UploadFile, File(description="The PGM or PNG that it names.")],
        name: Annotated[str, Form()] = "",
    ) -> Response:
        user = console.user(request)
        _may_edit(console, request)
        wanted = name.strip() or (map.filename or "").rpartition("/")[2].partition(".")[0].lower()
        try:
            saved = sites.upload(
                wanted, map.file.read(), map.filename or "map", picture.file.read(), user.name
            )
        except DocumentRefused as refused:
            form = MapForm(typed=wanted, errors=(refused.error,))
            chrome = console.chrome(request, "Sites")
            return console.html(documents_page(chrome, user, "sites", sites.newest(), form), 422)
        return see(url("sites", saved))

    @routes.post("/sites/{name}/drawing")
    def draw(
        request: Request,
        name: str,
        drawn: Annotated[str, Form()] = "",
        shown_version: Annotated[int, Form(ge=0, le=2**31 - 1)] = 0,
    ) -> Response:
        _may_edit(console, request)
        survey = _survey(name, None)
        try:
            regions, stations = taken(drawn, survey.frame_id)
            sites.draw(name, regions, stations, shown_version, console.user(request).name)
        except DocumentRefused as refused:
            error = replace(refused.error, field="drawn")
            return console.html(refused_drawing(console, request, name, drawn, (error,)), 422)
        except WrittenMeanwhile as meanwhile:
            return console.html(refused_drawing(console, request, name, drawn, (), meanwhile), 409)
        return see(url("sites", name))

    @routes.get("/sites/{name}/map.json")
    def map_json(name: str, version: Version = None) -> Response:
        """A `Drawing`."""
        survey = _survey(name, version)
        return data(drawing(survey, survey.version))

    @routes.get("/sites/{name}/map.zip")
    def map_zip(name: str, version: Version = None) -> Response:
        """map_server's YAML and its PGM."""
        text, picture = sites.map_files(name, version, f"{name}.pgm")
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{name}.yaml", text)
            archive.writestr(f"{name}.pgm", picture)
        named = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
        return Response(file.getvalue(), media_type="application/zip", headers=named)

    @routes.get("/sites/{name}/floor/{kind}.png")
    def site_floor(name: str, kind: Kind, version: Version = None) -> Response:
        return _floor(_survey(name, version).floor, kind)

    @routes.get("/episodes/{episode}/floor/{kind}.png")
    def episode_floor(request: Request, episode: str, kind: Kind) -> Response:
        return _floor(floor_of(console.desk.moment(episode, console.user(request)).state), kind)

    def _survey(name: str, version: int | None) -> Survey:
        survey = sites.survey(name, version)
        if survey is None:
            raise NotThere(f"Site {name} cannot be drawn", remedy="Mend its text first; its page says where.")
        return survey

    return routes


def _floor(floor: Floor | None, kind: Kind) -> Response:
    """White where the floor is of that kind; the first row is the farthest up."""
    if floor is None:
        raise NotThere("No map was surveyed here", remedy="Import one of map_server's into the site.")
    kinds = kinds_of(floor)[::-1]
    png = png_of(kinds == OCCUPIED if kind == "occupied" else kinds != UNKNOWN)
    return Response(png, media_type="image/png", headers={"Cache-Control": FOR_EVER})


def _may_edit(console: Console, request: Request) -> None:
    if console.user(request).role not in COMMANDING:
        raise Forbidden("A viewer reads sites and edits none.", remedy="Ask an operator.")
