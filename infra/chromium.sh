#!/usr/bin/env bash
# See to it that tests of pages find a Chromium, two systems' fonts and a reader of PDF: system packages.
set -euo pipefail

say() { printf 'chromium: %s\n' "$*" >&2; }
has_font() { find /usr/share/fonts -name "$1" 2>/dev/null | grep -q .; }

packages=
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 \
    || command -v google-chrome >/dev/null 2>&1 || packages=chromium
has_font DejaVuSans.ttf || packages="$packages fonts-dejavu-core"
command -v pdftotext >/dev/null 2>&1 || packages="$packages poppler-utils"
has_font LiberationSans-Regular.ttf || packages="$packages fonts-liberation"
[ -z "$packages" ] && exit 0
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
    say "missing and not to be installed here: $packages; install these packages [setup_no_chromium]"
    exit 3
fi
say "installing the system's packages (once, about a minute): $packages"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # several names
$as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $packages >/dev/null \
    || { say "could not be installed: $packages; see above [setup_no_chromium]"; exit 3; }
say "done"
