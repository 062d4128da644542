#!/usr/bin/env bash
# The browser tests drive a real Chromium: find it, or install it where we may, or say how.
set -euo pipefail

for candidate in "${QUARTERDECK_CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then
        exit 0
    fi
done

install='apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core'
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the browser tests"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
    exit 0
fi

echo "The browser tests need Chromium. Run: sudo sh -c '$install'" >&2
echo "or name one that is installed: QUARTERDECK_CHROMIUM=/path/to/chromium make test" >&2
exit 1
