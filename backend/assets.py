"""Where the pages, static files, migrations and missions lie: in the wheel's `backend/_data`, else at the checkout's root."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def asset(name: str) -> Path:
    """The folder or file that ships under `name`, as `frontend`, `static`, `migrations` or `alembic.ini`."""
    packaged = _PACKAGE / "_data"
    root = packaged if packaged.is_dir() else _PACKAGE.parent
    found = root / name
    if not found.exists():
        raise FileNotFoundError(f"Quarterdeck's {name!r} is missing at {found}: reinstall the package or restore the checkout")
    return found
