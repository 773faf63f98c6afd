#!/usr/bin/env bash
# The desk on a simulated day, with a person of each role; for trying it out, never for a property.
#   infra/desk.sh BIN      the folder of the commands; PORT=8930
set -euo pipefail
bin=$1 port=${PORT:-8930}
folder=$(mktemp -d)/ledger
phrase="try the desk $RANDOM-$RANDOM"
"$bin/pitledger" floor simulate --ledger "$folder" --seed 144 --scale 10000 --coupons \
    --plant winner_taken@SB-01 >/dev/null
"$bin/pitledger" find SB-01 findings --ledger "$folder" >/dev/null || true
echo "Simulated ledger: $folder"
while read -r credential role; do
    "$bin/pitledger" serve enroll "$credential" --ledger "$folder" <<<"$phrase" >/dev/null
    printf '  %-22s %-6s %s\n' "$role" "$credential" "$phrase"
done <<'PEOPLE'
SS-1 surveillance
FS-1 finance
IA-1 auditor
F-11 table games supervisor
IT-1 administrator
PEOPLE
echo "A disputed round to look at: SB-01:517"
PITLEDGER_FOOTAGE_DAYS=${PITLEDGER_FOOTAGE_DAYS:-30} exec "$bin/pitledger" serve --ledger "$folder" --port "$port"
