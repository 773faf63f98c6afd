"""Check an evidence pack of Pitledger without Pitledger: python verify.py FILE --key KEY

KEY is the ledger's public key, or a file that holds it, from anywhere but the pack. Take this
program from elsewhere, too: one that lies in a pack says what its maker wants. Exit codes: 0 all
holds under your key; 1 the pack agrees with itself, and no more; 2 wrong use; 4 refused, and why.
"""

import argparse, base64, json, re, struct, sys, zlib
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FILE_BYTES, MEMBERS = 64 << 20, 20_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,2}")
MONEY, CENTS = re.compile(r"\$[0-9][0-9,.]*[0-9]|\$[0-9]"), re.compile(r'_cents": ?(-?[0-9]+)')
DOMAIN, CLOSED = b"pitledger personal string v1\0", ("(withheld)", "(erased)")
NO_WORDS = re.compile(r'\\u[0-9a-f]{4}|\\.|"[a-z]+":|null|^\["pitledger letter v1"')
KINDS, FOLDERS, WORD = ("media", "letter"), ("media/", "letters/"), re.compile("[A-Za-z0-9]+")
DOCUMENTS = ("manifest", "law", "derivation", "keys")
FIGURE = re.compile(r'<data class="figure" id="([^"]*)" value="([^"]*)">([^<]*)</data>')


# fmt: off
class Refused(Exception): ...  # the pack is not what it says; the message is the reason
def need(holds: object, reason: str) -> None:
    if not holds: raise Refused(reason)
def zip_of(members: list[tuple[str, bytes]]) -> bytes:  # stored, each field fixed
    out, listed = bytearray(), bytearray()
    for name, body in members:
        sizes = (zlib.crc32(body), len(body), len(body), len(name), 0)
        fixed = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, *sizes)
        listed += b"PK\1\2\x14\0" + fixed + bytes(10) + struct.pack("<I", len(out)) + name.encode()
        out += b"PK\3\4" + fixed + name.encode() + body
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(listed), len(out), 0)
    return bytes(out + listed + b"PK\5\6" + end)
def members_of(raw: bytes) -> dict[str, bytes]:  # of exactly that zip
    need(len(raw) <= FILE_BYTES, "the file is larger than a pack may be")
    members, at = list[tuple[str, bytes]](), 0
    while raw[at : at + 4] == b"PK\3\4":
        need(len(members) < MEMBERS and at + 30 <= len(raw), "the zip is cut, or has no end")
        size, length = struct.unpack("<18xI4xH2x", raw[at : at + 30])
        name = raw[at + 30 : at + 30 + length].decode("ascii", "replace")
        need(NAME.fullmatch(name), f"a member has a name that is not allowed: {name[:80]!r}")
        need(not members or members[-1][0] < name, f"{name} stands twice, or out of order")
        at += 30 + length + size
        need(at <= len(raw), f"{name} says that it is larger than the file")
        members.append((name, raw[at - size : at]))
    need(members and zip_of(members) == raw, "the file is not the zip that its members make")
    return dict(members)
def plain(text: str) -> bytes:  # the bytes of base64 in its one form
    raw = base64.b64decode(text, validate=True)
    need(base64.b64encode(raw).decode() == text, "base64 is not in its one form")
    return raw
def key_of(text: str) -> tuple[str, bytes, bytes]:  # name, id and public key of name+hash+base64
    name, number, body = text.split("+", 2)
    raw, right = plain(body), sha256(f"{name}\n".encode() + plain(body)).hexdigest()[:8]
    need((len(raw), raw[0], number) == (33, 1, right), "a key is not what its hash says")
    return name, bytes.fromhex(number), raw[1:]
def signed(key: str, text: bytes, signature: bytes) -> bool:  # Ed25519
    with suppress(InvalidSignature):
        return not Ed25519PublicKey.from_public_bytes(key_of(key)[2]).verify(signature, text)
    return False
def opened(note: bytes, key: str, title: str) -> list[str]:  # by one signature of the key
    text, gap, lines = note.decode().rpartition("\n\n")
    need(gap and lines.endswith("\n"), f"{title} is no signed note")
    of_all = [line.split(" ", 2) for line in lines[:-1].split("\n")]
    own = [plain(body)[4:] for dash, name, body in of_all
           if (dash, name, plain(body)[:4]) == ("—", *key_of(key)[:2])]
    need(len(own) == 1, f"{title} has {len(own)} signatures by the ledger's key, not one")
    need(signed(key, f"{text}\n".encode(), own[0]), f"the signature of {title} does not hold")
    return text.split("\n")
def tree_of(note: bytes, key: str, title: str) -> tuple[int, bytes]:  # a checkpoint: size, root
    origin, size, root = opened(note, key, title)
    need(origin == key_of(key)[0] and size == str(int(size)), f"{title} is of another ledger")
    return int(size), plain(root)
def node(left: bytes, right: bytes) -> bytes: return sha256(b"\1" + left + right).digest()
def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:  # RFC 6962, 2.1.1
    need(0 <= index < size and bool(path) == (size > 1), "a proof does not fit the tree")
    if size == 1: return leaf
    left, rest, last = 1 << (size - 1).bit_length() - 1, path[:-1], path[-1]
    if index < left: return node(root_of(leaf, index, left, rest), last)
    return node(last, root_of(leaf, index - left, size - left, rest))
# RFC 6962, 2.1.2: the two roots of a consistency proof; ``whole``: the root seen earlier
def roots_of(old: int, size: int, path: list[bytes], whole: bytes | None) -> tuple[bytes, bytes]:
    if old == size:
        need(len(path) == (whole is None), "the proof for the witness does not fit the tree")
        return (path[0], path[0]) if whole is None else (whole, whole)
    need(0 < old < size and path, "the witness saw a longer ledger, or none")
    if old <= (left := 1 << (size - 1).bit_length() - 1):
        first, second = roots_of(old, left, path[:-1], whole)
        return first, node(second, path[-1])
    both = roots_of(old - left, size - left, path[:-1], None)
    return node(path[-1], both[0]), node(path[-1], both[1])
def leads(key: str, chain: list[Any], signer: str) -> bool:  # from key to key, to the signer?
    for turn in chain[:100]:
        words = key_of(turn["new"])[0], turn["old"], turn["new"], str(turn["size"]), turn["root"]
        text = "\n".join(["pitledger key rotation v1", *words, ""]).encode()
        old = turn["signed_by_old"]
        need(signed(turn["new"], text, plain(turn["signed_by_new"])), "a new key signed no change")
        need(old is None or signed(turn["old"], text, plain(old)), "an old key signed no change")
        key = turn["new"] if key == turn["old"] and old is not None else key
    return key == signer

class Avro:  # a walk over Avro bytes; ``sealed``: what opens, or closes, the strings of an event
    def __init__(self, raw: bytes, schemas: Any, sealed: dict[str, Any] | None = None) -> None:
        self.raw, self.at, self.schemas, self.sealed = raw, 0, schemas, sealed
    def take(self, count: int) -> bytes:
        need(0 <= count <= len(self.raw) - self.at, "an entry ends too early")
        self.at += count
        return self.raw[self.at - count : self.at]
    def long(self) -> int:
        number, shift, byte = 0, 0, 128
        while byte > 127:
            need(shift < 64, "a number is too long")
            byte, shift = self.take(1)[0], shift + 7
            number |= (byte & 127) << shift - 7
        return (number >> 1) ^ -(number & 1)
    def counted(self) -> bytes: return self.take(self.long())
    def shown(self, path: str, read: Any, write: Any) -> Any:  # a string or bytes, as JSON has it
        raw, where = self.counted(), len(path.encode()).to_bytes(2, "big") + path.encode()
        if self.sealed is not None and raw[:1] == b"\0" and raw[1:5] in self.schemas:
            return Avro(raw, self.schemas, self.sealed).event(f"{path}>")  # an event inside
        if self.sealed is None or raw[:1] != b"\xff" or len(raw) != 33:
            return read(raw)
        need(path in self.sealed, f"nothing opens {path}, and nothing says that it is closed")
        text, *salt = self.sealed.pop(path)
        right = sha256(DOMAIN + bytes.fromhex("".join(salt)) + where + write(text)).digest()
        need(right == raw[1:] if salt else text in CLOSED, f"{path} is opened with another text")
        return text
    def event(self, path: str = "") -> dict[str, Any]:  # of framed bytes
        need(self.take(1) == b"\0" and self.raw[1:5] in self.schemas, "there is no event here")
        name, version, schema = self.schemas[self.take(4)]
        event = {"event": name, "version": version, **self.value(schema, {}, path)}
        need(self.at == len(self.raw), "bytes follow a fact")
        return event
    def value(self, schema: Any, named: dict[str, Any], path: str) -> Any:  # as JSON has it
        if isinstance(schema, list): return self.value(schema[self.long()], named, path)
        kind = schema["type"] if isinstance(schema, dict) else schema.rpartition(".")[2]
        named |= {schema["name"]: schema} if kind in ("record", "enum") else {}
        if kind == "record":
            path += "." * (path[-1:] not in ("", ">"))
            return {field["name"]: self.value(field["type"], named, path + field["name"])
                    for field in schema["fields"]}
        if kind == "array":
            out = list[Any]()
            while count := self.long():
                _ = count < 0 and self.long()  # such a block says its size in bytes, too
                need(abs(count) <= len(self.raw), "a list is longer than its bytes")
                for number in range(len(out), len(out) + abs(count)):
                    out.append(self.value(schema["items"], named, f"{path}[{number}]"))
            return out
        if kind == "long" and isinstance(schema, dict) and "logicalType" in schema:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.long())
            return moment.isoformat(timespec="microseconds")[:26] + "Z"
        ways: Any = {"null": lambda: None, "boolean": lambda: self.take(1) != b"\0",
                     "long": self.long, "enum": lambda: schema["symbols"][self.long()],
                     "string": lambda: self.shown(path, bytes.decode, str.encode),
                     "bytes": lambda: self.shown(path, bytes.hex, bytes.fromhex)}
        return ways[kind]() if kind in ways else self.value(named[kind], named, path)
def fact_of(entry: bytes, schemas: Any, sealed: dict[str, Any]) -> dict[str, Any]:
    walk = Avro(entry, schemas)
    need((walk.long(), walk.long() > 0) == (5 if sealed else 1, True), "it is no entry of a fact")
    _ = walk.long() and (walk.counted(), walk.long(), walk.long()), walk.long() and walk.counted()
    _ = sealed and walk.take(32)  # the likeness
    fact = Avro(walk.counted(), schemas, sealed or None).event()
    need(walk.at == len(entry) and not sealed, f"there are no such strings: {sorted(sealed)}")
    return fact
def proven(members: Any, manifest: Any, size: int, root: bytes, open_: set[str]) -> dict[str, Any]:
    schemas, facts, lines = dict[bytes, Any](), {}, []
    openings = json.loads(members.get("openings.json", b"{}"))
    unseen = {name: members[name] for name in members if name.startswith("entries/")}
    for shown in manifest["schemas"] + manifest["facts"]:
        place, leaf = f"{shown['position']:012d}", bytes.fromhex(shown["leaf"])
        steps, _, note = members[f"proofs/{place}.proof"].decode().partition("\n\n")
        *head, path = steps.split("\n", 2)
        same = head == ["c2sp.org/tlog-proof@v1", f"index {shown['position']}"]
        need(same and note.encode() == members["checkpoint"], f"the proof of {place} is another's")
        top = root_of(leaf, shown["position"], size, [plain(step) for step in path.split("\n")])
        need(top == root, f"the proof of {place} does not lead to the root")
        if not shown["shown"]:
            open_.add(f"{shown['fact']} is a hash only")
            continue
        entry = unseen.pop(f"entries/{place}")
        need(sha256(b"\0" + entry).digest() == leaf, f"entry {place} is not its leaf")
        if "schema" in shown:
            walk = Avro(entry, schemas)
            need(walk.long() == 3 and walk.long(), f"entry {place} is not that of a schema")
            number, (*_, name) = walk.long().to_bytes(4, "big"), walk.counted().decode().split(".")
            schemas[number] = name, walk.long(), json.loads(text := walk.counted())
            need(members[shown["schema"]] == text, f"{shown['schema']} is another schema")
            continue
        sealed = openings.pop(place, {})
        open_ |= {f"{shown['fact']} does not show {path}: {words[0]}"
                  for path, words in sealed.items() if len(words) == 1}
        fact = fact_of(entry, schemas, sealed)
        ref = f"{fact['stream']}:{fact['seq']}"
        need((ref, fact["event"]) == (shown["fact"], shown["event"]), f"{place} is another fact")
        line = {("fact_position" if name == "position" else name): fact[name] for name in fact}
        lines += [json.dumps({"position": shown["position"], **line}, separators=(",", ":")), "\n"]
        facts[ref] = fact
    need("".join(lines).encode() == members["facts.jsonl"], "facts.jsonl is not the entries'")
    need(not unseen and not openings, "an entry or an opening is of no fact that is shown")
    files = {(fact.get(f"{word}_sha256"), word) for fact in facts.values() for word in KINDS}
    for name, body in ((name, members[name]) for name in members if name.startswith(FOLDERS)):
        digest, _, form = name.rpartition("/")[2].partition(".")
        right = sha256(body).hexdigest() == digest and form in ("", "json")
        if form in ("txt", "html"):  # has it each word of the signed letter, as often?
            page = unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", body.decode(), flags=re.S))
            letter = NO_WORDS.sub(" ", members[f"letters/{digest}.json"].decode())
            right = not Counter(WORD.findall(letter)) - Counter(WORD.findall(page))
        kind = "media" if form == "" else "letter"
        need(right and (digest, kind) in files, f"{name} is no {kind} of the case")
    return facts
def figures_of(derivation: Any, law: Any, facts: dict[str, Any], open_: set[str]) -> dict[str, Any]:
    known = dict[str, Any]()
    for figure in derivation["figures"]:
        name, cents, how, of = (figure[word] for word in ("name", "cents", "how", "of"))
        exact = Fraction(0)
        need(name not in known, f"{name} stands twice")
        if how == "facts":
            for ref, field, part in of:
                need(ref not in facts or facts[ref][field] == part, f"{ref} does not say {name}")
                open_ |= set() if ref in facts else {f"{name} rests on {ref}, not shown here"}
            exact += sum(part for _, _, part in of)
        elif how == "stated":
            open_.add(f"{name} is stated by the rules engine, not computed here")
        elif how == "net":
            exact += known[of[0]] - known[of[1]] - known[of[2]] + known[of[3]]
        else:
            parts = [known[other] for other in of]
            if odds := figure.get("odds"):
                need(odds in law["odds"], f"the odds of {name} stand in no row")
                parts[0] = Fraction(parts[0] * odds["pays"] * odds["factor"], odds["stake"])
            exact += sum(parts)
        off = exact - (cents or 0)
        right = {"stated": True, "rounded": abs(off) < 1, "limited": off > 0}.get(how, off == 0)
        need(right, f"{name} does not come to {cents}")
        known[name] = cents
    return known
def check_report(members: dict[str, bytes], figures: dict[str, Any]) -> None:
    def dollars(n: int) -> str: return f"{'-' * (n < 0)}${abs(n) // 100:,}.{abs(n) % 100:02d}"
    report, words = members["report.html"].decode(), {None: "not known"}
    due = [(name, str(n), words.get(n) or dollars(n)) for name, n in figures.items()]
    need(FIGURE.findall(report) == due, "the figures of the report are not those derived")
    known = (members["derivation.json"] + members["facts.jsonl"]).decode()
    amounts = {dollars(abs(int(cents))) for cents in CENTS.findall(known)} | {*MONEY.findall(known)}
    text = re.sub(r"<style>.*?</style>", "", report, flags=re.DOTALL)
    strange = {*MONEY.findall(text)} - amounts - {amount.removesuffix(".00") for amount in amounts}
    need(not strange and "<script" not in text.lower(), f"the report has its own: {strange}")
def check(raw: bytes, key: str | None) -> tuple[int, list[str]]:  # exit code, and what to say
    members = members_of(raw)
    manifest, law, derivation, chain = (json.loads(members[f"{name}.json"]) for name in DOCUMENTS)
    rest = [name for name in members if name not in ("SHA256SUMS", "signature")]
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in rest).encode()
    need(sums == members["SHA256SUMS"], "SHA256SUMS does not list these members")
    need([*members] == manifest["members"], "a member was added, or is missing")
    need(manifest["about"] == derivation["about"], "the derivation is of something else")
    size, root = tree_of(members["checkpoint"], signer := manifest["key"], "the checkpoint")
    need([size, root.hex()] == [manifest["tree_size"], manifest["root"]], "another checkpoint")
    if "signature" in members:
        words = ["pitledger evidence pack v1", key_of(signer)[0], sha256(sums).hexdigest()]
        need(opened(members["signature"], signer, "the pack") == words, "another pack's signature")
    if "witness" in members:
        old, old_root = tree_of(members["witness"], manifest["witness_key"], "the witness")
        path = [plain(step) for step in members["witness-proof"].decode().split()]
        need(leads(manifest["witness_key"], chain, signer), "the witness trusted another key")
        need(roots_of(old, size, path, old_root) == (old_root, root), "the witness saw another")
    facts = proven(members, manifest, size, root, open_ := set[str]())
    check_report(members, figures_of(derivation, law, facts, open_))
    need(key is None or leads(key, chain, signer), "no chain of keys leads here from your key")
    lines = [f"{len(facts)} facts proved in the tree of {size} entries", *sorted(open_)]
    if key is not None and "signature" in members:
        return 0, [*lines, "VERIFIED under your key"]
    why = "name the ledger's key, from elsewhere: --key KEY" if key is None else "nobody signed it"
    return 1, [*lines, f"SELF-CONSISTENT ONLY{' but for the facts' * (key is not None)}: {why}"]
def judged(raw: bytes, key: str | None) -> tuple[int, list[str]]:  # whatever its bytes are
    try:
        return check(raw, key)
    except Exception as error:  # hostile bytes: no JSON, no number, no key, a member that is absent
        malformed = f"malformed: {type(error).__name__} {str(error)[:99]!a}"
        return 4, [f"REFUSED: {error if isinstance(error, Refused) else malformed}"]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check an evidence pack.")
    parser.add_argument("file", type=argparse.FileType("rb"))
    parser.add_argument("--key", default="", help="the ledger's public key, or a file with it")
    options = parser.parse_args()
    named = Path(options.key).read_text() if Path(options.key).is_file() else options.key
    code, lines = judged(options.file.read(FILE_BYTES + 1), named.strip() or None)
    print(*(ascii(line)[1:-1] for line in lines), sep="\n")
    sys.exit(code)
