#!/usr/bin/env bash
# The arena's pictures are rendered without a display: find EGL or OSMesa, or install one where we may, or say how.
set -euo pipefail

python="${1:-python3}"
if "$python" -c 'import ctypes.util as c, sys; sys.exit(not (c.find_library("EGL") or c.find_library("OSMesa")))'; then
    exit 0
fi

install='apt-get update && apt-get install -y --no-install-recommends libegl1 libgl1 libgl1-mesa-dri'
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing EGL for the tests of the arena's pictures"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends libegl1 libgl1 libgl1-mesa-dri >/dev/null
    exit 0
fi

echo "The arena's pictures need EGL. Run: sudo sh -c '$install'" >&2
exit 1
