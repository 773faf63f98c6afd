import json, sys
from tests.conformance.translate import *
from tests.conformance.keys import NotTranslatable
for f in sys.argv[1:]:
    d=json.load(open(f))
    try: sp=vocabulary(d)
    except NotTranslatable as e: print(f,e); continue
    df=defaults_of(d,sp)
    for c in d['cases']:
        try:
            t=translate(c,sp,df)
            from ledger.codec import frame, validate
            for x in t.ready.facts: frame(x)
            print(c['id'],len(t.ready.facts),t.days)
        except NotTranslatable as e: print(c['id'],'NT',e)
