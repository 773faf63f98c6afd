"""Check an evidence pack of Pitledger without Pitledger: python verify.py FILE --key KEY

KEY is the ledger's public key, or a file that holds it, from anywhere but the pack. Take this
program from elsewhere, too: one that lies in a pack says what its maker wants. Exit codes: 0 all
holds under your key; 1 the pack agrees with itself, and no more; 2 wrong use; 4 refused, and why.
"""

import argparse, base64, json, re, struct, sys, zlib
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FILE_BYTES, MEMBERS = 64 << 20, 20_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,2}")
MONEY, CENTS = re.compile(r"\$[0-9][0-9,.]*[0-9]|\$[0-9]"), re.compile(r'_cents": ?(-?[0-9]+)')
FIGURE = re.compile(r'<data class="figure" id="([^"]*)" value="([^"]*)">([^<]*)</data>')


# fmt: off
class Refused(Exception): ...  # the pack is not what it says; the message is the reason

def need(holds: object, reason: str) -> None:
    if not holds:
        raise Refused(reason)

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
        Ed25519PublicKey.from_public_bytes(key_of(key)[2]).verify(signature, text)
        return True
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

def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()

def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:  # RFC 6962, 2.1.1
    need(0 <= index < size and bool(path) == (size > 1), "a proof does not fit the tree")
    if size == 1:
        return leaf
    left = 1 << (size - 1).bit_length() - 1
    if index < left:
        return node(root_of(leaf, index, left, path[:-1]), path[-1])
    return node(path[-1], root_of(leaf, index - left, size - left, path[:-1]))

def roots_of(old: int, size: int, path: list[bytes], whole: bytes | None) -> tuple[bytes, bytes]:
    """RFC 6962, 2.1.2: the two roots of a consistency proof; ``whole``: the root seen earlier."""
    if old == size:
        need(len(path) == (whole is None), "the proof for the witness does not fit the tree")
        return (path[0], path[0]) if whole is None else (whole, whole)
    need(0 < old < size and path, "the witness saw a longer ledger, or none")
    left = 1 << (size - 1).bit_length() - 1
    if old <= left:
        first, second = roots_of(old, left, path[:-1], whole)
        return first, node(second, path[-1])
    first, second = roots_of(old - left, size - left, path[:-1], None)
    return node(path[-1], first), node(path[-1], second)

def leads(key: str, chain: list[Any], signer: str) -> bool:  # from key to key, to the signer?
    for turn in chain[:100]:
        words = [key_of(turn["new"])[0], turn["old"], turn["new"], str(turn["size"]), turn["root"]]
        text = "\n".join(["pitledger key rotation v1", *words, ""]).encode()
        old = turn["signed_by_old"]
        need(signed(turn["new"], text, plain(turn["signed_by_new"])), "a new key signed no change")
        need(old is None or signed(turn["old"], text, plain(old)), "an old key signed no change")
        key = turn["new"] if key == turn["old"] and old is not None else key
    return key == signer

class Avro:  # a walk over Avro bytes
    def __init__(self, raw: bytes) -> None:
        self.raw, self.at = raw, 0

    def take(self, count: int) -> bytes:
        need(0 <= count <= len(self.raw) - self.at, "an entry ends too early")
        self.at += count
        return self.raw[self.at - count : self.at]

    def long(self) -> int:
        number = shift = 0
        while (byte := self.take(1)[0]) > 127:
            number |= (byte & 127) << shift
            shift += 7
            need(shift < 64, "a number is too long")
        number |= byte << shift
        return (number >> 1) ^ -(number & 1)

    def text(self) -> str:
        return self.take(self.long()).decode()

    def value(self, schema: Any, named: dict[str, Any]) -> Any:  # in the form of the JSON lines
        if isinstance(schema, list):
            return self.value(schema[self.long()], named)
        kind = schema["type"] if isinstance(schema, dict) else schema
        if kind in ("record", "enum"):
            named[schema["name"]] = schema
        if kind == "record":
            return {f["name"]: self.value(f["type"], named) for f in schema["fields"]}
        if kind == "array":
            out = list[Any]()
            while count := self.long():
                _ = count < 0 and self.long()  # such a block says its size in bytes, too
                need(abs(count) <= len(self.raw), "a list is longer than its bytes")
                out += [self.value(schema["items"], named) for _ in range(abs(count))]
            return out
        if kind == "long" and isinstance(schema, dict) and "logicalType" in schema:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.long())
            return moment.isoformat(timespec="microseconds")[:26] + "Z"
        ways: Any = {"null": lambda: None, "boolean": lambda: self.take(1) != b"\0",
                     "long": self.long, "string": self.text,
                     "bytes": lambda: self.take(self.long()).hex(),
                     "enum": lambda: schema["symbols"][self.long()]}
        return ways[kind]() if kind in ways else self.value(named[kind], named)

def fact_of(entry: bytes, schemas: dict[int, Any]) -> dict[str, Any]:  # the event of an entry
    walk = Avro(entry)
    need(walk.long() == 1 and walk.long(), "an entry is not that of a fact")  # branch, record time
    _ = walk.long() and (walk.text(), walk.long(), walk.long()), walk.long() and walk.text()
    framed = Avro(walk.take(walk.long()))
    need(walk.at == len(entry) and framed.take(1) == b"\0", "an entry is not that of a fact")
    name, version, text = schemas[int.from_bytes(framed.take(4), "big")]
    fact = {"event": name, "version": version, **framed.value(json.loads(text), {})}
    need(framed.at == len(framed.raw), "bytes follow a fact")
    return fact

def proven(members: dict[str, bytes], manifest: Any, size: int, root: bytes) -> dict[str, Any]:
    """The facts that are shown whole, each proved and equal to its JSON line."""
    schemas, facts, lines = dict[int, Any](), {}, []
    for shown in manifest["schemas"] + manifest["facts"]:
        place, leaf = f"{shown['position']:012d}", bytes.fromhex(shown["leaf"])
        steps, _, note = members[f"proofs/{place}.proof"].decode().partition("\n\n")
        *head, path = steps.split("\n", 2)
        same = head == ["c2sp.org/tlog-proof@v1", f"index {shown['position']}"]
        need(same and note.encode() == members["checkpoint"], f"the proof of {place} is another's")
        top = root_of(leaf, shown["position"], size, [plain(step) for step in path.split("\n")])
        need(top == root, f"the proof of {place} does not lead to the root")
        if not shown["shown"]:
            continue
        entry = members[f"entries/{place}"]
        need(sha256(b"\0" + entry).digest() == leaf, f"entry {place} is not its leaf")
        if "schema" in shown:
            walk = Avro(entry)
            need(walk.long() == 3 and walk.long(), f"entry {place} is not that of a schema")
            number, name, version, text = walk.long(), walk.text(), walk.long(), walk.text()
            need(members[shown["schema"]] == text.encode(), f"{shown['schema']} is another schema")
            schemas[number] = name.rpartition(".")[2], version, text
            continue
        fact = fact_of(entry, schemas)
        ref = f"{fact['stream']}:{fact['seq']}"
        need((ref, fact["event"]) == (shown["fact"], shown["event"]), f"{place} is another fact")
        line = {("fact_position" if name == "position" else name): fact[name] for name in fact}
        lines.append(json.dumps({"position": shown["position"], **line}, separators=(",", ":")))
        facts[ref] = fact
    printed = "".join(f"{line}\n" for line in lines).encode()
    need(printed == members["facts.jsonl"], "facts.jsonl is not what the entries say")
    return facts

def figures_of(derivation: Any, law: Any, facts: dict[str, Any], open_: set[str]) -> dict[str, Any]:
    """Check how each figure comes about, step by step; ``open_`` takes what facts do not prove."""
    known = dict[str, Any]()
    for figure in derivation["figures"]:
        name, cents, how, of = (figure[word] for word in ("name", "cents", "how", "of"))
        exact = Fraction(0)
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
    """Check that the report has the figures of the derivation, and no amount of its own."""
    def dollars(cents: int) -> str:
        return f"{'-' * (cents < 0)}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"
    report, words = members["report.html"].decode(), {None: "not known"}
    due = [(name, str(n), words.get(n) or dollars(n)) for name, n in figures.items()]
    need(FIGURE.findall(report) == due, "the figures of the report are not those derived")
    known = (members["derivation.json"] + members["facts.jsonl"]).decode()
    amounts = {dollars(abs(int(cents))) for cents in CENTS.findall(known)} | {*MONEY.findall(known)}
    text = re.sub(r"<style>.*?</style>", "", report, flags=re.DOTALL)
    strange = {*MONEY.findall(text)} - amounts - {amount.removesuffix(".00") for amount in amounts}
    need(not strange and "<script" not in text.lower(), f"the report has its own: {strange}")

def check(raw: bytes, key: str | None) -> tuple[int, list[str]]:
    """Check a pack; return the exit code and what to say."""
    members = members_of(raw)
    names = ("manifest", "law", "derivation", "keys")
    manifest, law, derivation, chain = (json.loads(members[f"{name}.json"]) for name in names)
    rest = [name for name in members if name not in ("SHA256SUMS", "signature")]
    sums = "".join(f"{sha256(members[name]).hexdigest()}  {name}\n" for name in rest).encode()
    need(sums == members["SHA256SUMS"], "SHA256SUMS does not list these members")
    need([*members] == manifest["members"], "a member was added, or is missing")
    need(manifest["round"] == derivation["round"], "the derivation is of another round")
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
    facts = proven(members, manifest, size, root)
    open_ = {f"{fact['fact']} is a hash only" for fact in manifest["facts"] if not fact["shown"]}
    check_report(members, figures_of(derivation, law, facts, open_))
    need(key is None or leads(key, chain, signer), "no chain of keys leads here from your key")
    lines = [f"{len(facts)} facts proved in the tree of {size} entries", *sorted(open_)]
    if key is not None and "signature" in members:
        return 0, [*lines, "VERIFIED under your key"]
    why = "name the ledger's key, from elsewhere: --key KEY" if key is None else "nobody signed it"
    return 1, [*lines, f"SELF-CONSISTENT ONLY{' but for the facts' * (key is not None)}: {why}"]

def judged(raw: bytes, key: str | None) -> tuple[int, list[str]]:
    """Check a pack, whatever its bytes are: 4 and the reason where it is refused."""
    try:
        return check(raw, key)
    except Refused as refused:
        return 4, [f"REFUSED: {refused}"]
    except Exception as error:  # hostile bytes: no JSON, no number, no key, a member that is absent
        return 4, [f"REFUSED: malformed: {type(error).__name__} {str(error)[:99]!a}"]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check an evidence pack.")
    parser.add_argument("file", type=argparse.FileType("rb"))
    parser.add_argument("--key", default="", help="the ledger's public key, or a file with it")
    options = parser.parse_args()
    named = Path(options.key).read_text() if Path(options.key).is_file() else options.key
    code, lines = judged(options.file.read(FILE_BYTES + 1), named.strip() or None)
    print(*(ascii(line)[1:-1] for line in lines), sep="\n")
    sys.exit(code)
