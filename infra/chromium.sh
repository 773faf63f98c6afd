#!/usr/bin/env bash
# See to it that tests of pages find a Chromium, two systems' fonts and a reader of PDF: system packages.
set -euo pipefail
. "$(dirname "$0")/system_packages.sh"

say() { printf 'chromium: %s\n' "$*" >&2; }
has_font() { find /usr/share/fonts -name "$1" 2>/dev/null | grep -q .; }

packages=
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 \
    || command -v google-chrome >/dev/null 2>&1 || packages=chromium
has_font DejaVuSans.ttf || packages="$packages fonts-dejavu-core"
command -v pdftotext >/dev/null 2>&1 || packages="$packages poppler-utils"
has_font LiberationSans-Regular.ttf || packages="$packages fonts-liberation"
[ -z "$packages" ] && exit 0
install_packages setup_no_chromium "$packages"
say "done"
