#!/usr/bin/env bash
# The desk on the ledger of the demonstration and its nights, with a person of each role; for trying it out, never for a property.
#   infra/desk.sh BIN      the folder of the commands; PORT=8930
set -euo pipefail
bin=$1 port=${PORT:-8930}
folder=$(mktemp -d)/ledger
phrase="try the desk $RANDOM-$RANDOM"
export PITLEDGER_NIGHT="$folder-nights" PITLEDGER_FOOTAGE_DAYS=${PITLEDGER_FOOTAGE_DAYS:-30}
ask() { "$bin/pitledger" "$@" --ledger "$folder" >/dev/null; }
found() { ask "$@" || test $? = 1; } # 1: there are findings, as there should be

echo "Three days of a floor are simulated and their nights run; that takes two minutes."
ask demo
# the simulated floor has no agent of the Board: one more fact of the house, the day after
"$bin/pitledger" cat --all --ledger "$folder" | grep '"stream":"house"' | tail -1 | "$bin/python" -c '
import json, sys
from datetime import datetime, timedelta
last = json.load(sys.stdin)
at = datetime.fromisoformat(last["event_time"]) + timedelta(days=1)
print(json.dumps({
    "event": "PersonCredentialled", "version": 1, "stream": "house", "seq": last["seq"] + 1,
    "event_time": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}", "source": last["source"], "recorded_by": "M-1",
    "person": "BA-1", "department": "Pennsylvania Gaming Control Board", "role": None, "revoked": False,
}))' > "$folder.agent"
ask append "$folder.agent" --yes
found find "SB-01 findings" # also makes the read model ready
round=$({ "$bin/pitledger" find "SB-01 code:wrong_outcome" --ledger "$folder" --format json || test $? = 1; } | "$bin/python" -c '
import json, sys
print(json.load(sys.stdin)[0]["round"])')
echo "Simulated ledger: $folder"
printf '%s' "$phrase" > "$folder.phrase"
export PITLEDGER_PASS_PHRASE_FILE="$folder.phrase" PITLEDGER_NEW_PASS_PHRASE_FILE="$folder.phrase"
ask person enroll IT-1
while read -r credential role; do
    test "$credential" = IT-1 || ask person enroll "$credential" --by IT-1
    printf '  %-24s %-6s %s\n' "$role" "$credential" "$phrase"
done <<'PEOPLE'
S-1 surveillance
SS-1 surveillance supervisor
SS-2 a second supervisor
FS-1 finance
IA-1 auditor
IA-2 a second auditor
F-11 table games supervisor
IT-1 administrator
BA-1 Board agent
PEOPLE
unset PITLEDGER_PASS_PHRASE_FILE PITLEDGER_NEW_PASS_PHRASE_FILE
echo "A disputed round to look at: $round"
exec "$bin/pitledger" serve --ledger "$folder" --port "$port"
