"""The rosmaster of the simulation, as Debian's program starts it."""

from __future__ import annotations

from rosmaster import rosmaster_main

if __name__ == "__main__":
    rosmaster_main()
