"""Runs a command that dies with whoever started it: `python tether.py PARENT_PID COMMAND…`.

Linux sends the process SIGTERM when its parent is gone, however that went. Elsewhere it is only a start.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit("The parent is gone already.")
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
