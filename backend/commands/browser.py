"""Whether a browser can be opened from here: one with windows, not one that takes over the terminal."""

from __future__ import annotations

import os
import sys
import webbrowser


def has_browser() -> bool:
    if sys.platform != "darwin" and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
