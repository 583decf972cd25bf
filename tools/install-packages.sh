#!/bin/sh
# Installs the Debian packages named that are missing, saying so first; by sudo where not root.
set -eu

missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "These packages (Debian's names) seem to be missing, and there is no apt-get to install them:$missing" >&2
    exit 0 # the build says what it lacks
fi
sudo=
if [ "$(id -u)" != 0 ]; then
    sudo=sudo
fi
echo "Installing with: $sudo apt-get install$missing"
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
