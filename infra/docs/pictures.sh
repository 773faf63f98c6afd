#!/usr/bin/env bash
# Take the pictures of the README and of the desk from small simulated ledgers: infra/docs/pictures.sh (needs .venv and Chromium, three minutes).
set -euo pipefail
cd "$(dirname "$0")/../.."
pitledger=$PWD/.venv/bin/pitledger
pictures=$PWD/infra/docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$pitledger" floor simulate --seed 144 --scale 10000 --coupons \
    --plant winner_taken@SB-01 --plant coupon_underpaid --ledger ledger >/dev/null
"$pitledger" night --ledger ledger --day 2021-06-12 --out nights >/dev/null || [ $? -eq 1 ]
"$pitledger" round show --ledger ledger SB-01:517 --format html >round.html || [ $? -eq 1 ]

picture() {  # name, page, width, height
    chromium --headless --no-sandbox --hide-scrollbars --user-data-dir="$work/browser" \
        --window-size="$3,$4" --screenshot="$pictures/$1.png" "file://$2" 2>/dev/null
}
mkdir -p "$pictures"
picture night-report "$work/nights/2021-06-12/final-1/report.html" 1000 900
picture round "$work/round.html" 1000 900
cd "$OLDPWD"
.venv/bin/python -m tests.web.pictures "$pictures"
