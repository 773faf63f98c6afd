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
printf '%s' "$phrase" > "$folder.phrase"
export PITLEDGER_PASS_PHRASE_FILE="$folder.phrase" PITLEDGER_NEW_PASS_PHRASE_FILE="$folder.phrase"
"$bin/pitledger" person enroll IT-1 --ledger "$folder" >/dev/null
while read -r credential role; do
    test "$credential" = IT-1 || "$bin/pitledger" person enroll "$credential" --by IT-1 --ledger "$folder" >/dev/null
    printf '  %-24s %-6s %s\n' "$role" "$credential" "$phrase"
done <<'PEOPLE'
S-1 surveillance
SS-1 surveillance supervisor
SS-2 a second supervisor
FS-1 finance
IA-1 auditor
F-11 table games supervisor
IT-1 administrator
PEOPLE
unset PITLEDGER_PASS_PHRASE_FILE PITLEDGER_NEW_PASS_PHRASE_FILE
echo "A disputed round to look at: SB-01:517"
PITLEDGER_FOOTAGE_DAYS=${PITLEDGER_FOOTAGE_DAYS:-30} exec "$bin/pitledger" serve --ledger "$folder" --port "$port"
