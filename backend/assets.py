"""Where what is not Python lies: in an installed wheel's `backend/_data`, else at the checkout's root."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def asset(name: str) -> Path:
    """The folder or file shipped as `name`: `frontend`, `static`, `migrations`, `missions`, `alembic.ini`."""
    packaged = _PACKAGE / "_data"
    found = (packaged if packaged.is_dir() else _PACKAGE.parent) / name
    if not found.exists():
        raise FileNotFoundError(f"{found} is missing: reinstall Quarterdeck, or restore the checkout")
    return found
