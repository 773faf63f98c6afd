"""The commands and their groups; nothing heavy is loaded here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from cyclopts import App, Group


class _Module:
    """A module of commands: each is named by where it lies, and loaded when it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, command: str) -> str:
        return f"{__package__}.{self._name}:{command}"


actions = _Module("actions")
amending = _Module("amending")
archive = _Module("archive")
audit_commands = _Module("audit_commands")
backup = _Module("backup")
case = _Module("case")
case_letters = _Module("case_letters")
clocks = _Module("clocks")
coupons = _Module("coupons")
doctor = _Module("doctor")
edition = _Module("edition")
finding_rounds = _Module("finding_rounds")
floor = _Module("floor")
importing = _Module("importing")
in_force = _Module("in_force")
kafka = _Module("kafka")
keys = _Module("keys")
law = _Module("law")
ledger_commands = _Module("ledger_commands")
new_room = _Module("new_room")
night = _Module("night")
observing = _Module("observing")
pack = _Module("pack")
patron_names = _Module("patron_names")
people = _Module("people")
person = _Module("person")
producers = _Module("producers")
range_audit = _Module("range_audit")
reference_commands = _Module("reference_commands")
sealed_persons = _Module("sealed_persons")
roll_up = _Module("roll_up")
serving = _Module("serving")
shift = _Module("shift")
subject_history = _Module("subject_history")
table_days = _Module("table_days")
unsigned_tail = _Module("unsigned_tail")
watching = _Module("watching")
whatif = _Module("whatif")
witness = _Module("witness")
writing = _Module("writing")

SUMMARY: Final = (
    "A verifiable ledger, a rules engine and a nightly audit for a table-games floor.\n\n"
    "Start with `pitledger demo`: simulated gaming days, audited before your eyes."
)
EXIT_CODES: Final = (
    "Exit codes: 0 clean, 1 a finding, something unknown or a refused line, 2 usage or an unknown"
    " day, round or room, 3 a source or setting is missing, 4 integrity broken, 130 interrupted."
)

EDITION: Final = ("law edition new", "law edition whatif")
GROUPS: Final = {
    "round": ("round show",),
    "observe": ("observe", "observe confirm", "observe list"),
    "coupons": (
        *("coupons where", "coupons reconcile", "coupons outstanding", "coupons form"),
        *("coupons forms", "coupons sign", "coupons forget"),
        *("coupons hold", "coupons release", "coupons holds"),
    ),
    "actions": (
        *("actions list", "actions show", "actions take", "actions note", "actions close"),
        *("actions suppress", "actions alerts"),
    ),
    "case": (
        *("case open", "case list", "case show", "case subject", "case assign", "case note"),
        *("case task", "case pin", "case media", "case check", "case footage", "case link"),
        *("case assess", "case decide", "case close", "case reopen"),
        *("case letter", "case sign"),
    ),
    "shift": ("shift log", "shift handover", "shift show"),
    "law": ("law show", "law odds", "law readings", "law coverage", "law new-room", *EDITION),
    "archive": ("archive write", "archive verify", "archive list"),
    "floor": ("floor simulate",),
    "schemas": (
        *("schemas list", "schemas show", "schemas check", "schemas try", "schemas asyncapi"),
    ),
    "config": ("config show",),
    "property": ("property describe",),
    "key": ("key rotate",),
    "person": ("person enroll", "person forget", "person hold", "person release"),
    "witness": ("witness init", "witness trust", "witness show", "witness serve"),
    "serve": ("serve", "serve writer"),
    "night": ("night", "night diff", "night verify", "night sign", "night signed"),
}
Command = str
"""Where a command lies: its module and its function."""

_SECTIONS: Final[tuple[tuple[str, tuple[Command, ...]], ...]] = (
    (
        "Ledger",
        (
            ledger_commands.init,
            ledger_commands.append,
            importing.import_file,
            amending.amend,
            kafka.ingest,
            kafka.publish,
            ledger_commands.verify,
            ledger_commands.prove,
            ledger_commands.checkpoint,
            unsigned_tail.tail,
            backup.backup,
            ledger_commands.cat,
        ),
    ),
    (
        "Judging",
        (
            floor.demo,
            audit_commands.audit,
            audit_commands.rounds,
            finding_rounds.find,
            subject_history.history,
            pack.pack,
            whatif.whatif,
            watching.watch,
            table_days.tables,
            roll_up.rollup,
            clocks.clocks,
            in_force.inforce,
        ),
    ),
    (
        "Helpers",
        (
            reference_commands.explain,
            reference_commands.sql,
            people.people,
            doctor.doctor,
            range_audit.worker,
        ),
    ),
)
_GROUPED: Final[tuple[tuple[str, str, str, dict[str, Command]], ...]] = (
    (
        "Ledger",
        "property",
        "Where the property is: `property describe`.",
        {"describe": amending.property_describe},
    ),
    (
        "Ledger",
        "key",
        "The key that signs the ledger: `key rotate`.",
        {"rotate": keys.key_rotate},
    ),
    (
        "Ledger",
        "person",
        "Who can prove who acts: `person enroll`; persons in a sealed ledger: `person forget`,"
        " `hold`, `release`.",
        {
            "enroll": person.enroll,
            "forget": sealed_persons.person_forget,
            "hold": sealed_persons.person_hold,
            "release": sealed_persons.person_release,
        },
    ),
    (
        "Ledger",
        "witness",
        "Remember on another machine what a ledger signed: `witness init`, `trust`, `show`,"
        " `serve`.",
        {
            "init": witness.init,
            "trust": witness.trust,
            "show": witness.show,
            "serve": witness.serve,
        },
    ),
    (
        "Judging",
        "round",
        "Explain one round of play: `round show ROUND`.",
        {"show": audit_commands.round_show},
    ),
    (
        "Judging",
        "observe",
        "What a recording shows of a round: `observe FILE`, `observe confirm ID`, `observe list`.",
        {"confirm": observing.observe_confirm, "list": observing.observe_list},
    ),
    (
        "Judging",
        "coupons",
        "Match Play Coupons: `coupons where`, `reconcile`, `outstanding`, `form`, `forms`, `sign`,"
        " `forget`, `hold`, `release`, `holds`.",
        {
            "where": coupons.coupons_where,
            "reconcile": coupons.coupons_reconcile,
            "outstanding": coupons.coupons_outstanding,
            "form": coupons.coupons_form,
            "forms": coupons.coupons_forms,
            "sign": coupons.coupons_sign,
            "forget": patron_names.coupons_forget,
            "hold": patron_names.coupons_hold,
            "release": patron_names.coupons_release,
            "holds": patron_names.coupons_holds,
        },
    ),
    (
        "Judging",
        "actions",
        "What to look into: `actions list`, `show`, `take`, `note`, `close`, `suppress`, `alerts`.",
        {
            "list": actions.actions_list,
            "show": actions.actions_show,
            "take": actions.actions_take,
            "note": actions.actions_note,
            "close": actions.actions_close,
            "suppress": actions.actions_suppress,
            "alerts": actions.actions_alerts,
        },
    ),
    (
        "Judging",
        "case",
        "The file of a dispute or an incident: `case open`, `list`, `show`, `note`, `pin`, `media`,"
        " `footage`, `assess`, `decide`, `close`, ...",
        {
            "open": case.case_open,
            "list": case.case_list,
            "show": case.case_show,
            "subject": case.case_subject,
            "assign": case.case_assign,
            "note": case.case_note,
            "task": case.case_task,
            "pin": case.case_pin,
            "media": case.case_media,
            "check": case.case_check,
            "footage": case.case_footage,
            "link": case.case_link,
            "assess": case.case_assess,
            "decide": case.case_decide,
            "close": case.case_close,
            "reopen": case.case_reopen,
            "letter": case_letters.case_letter,
            "sign": case_letters.case_sign,
        },
    ),
    (
        "Judging",
        "shift",
        "The log of the shift: `shift log`, `shift handover`, `shift show`.",
        {"log": shift.shift_log, "handover": shift.shift_handover, "show": shift.shift_show},
    ),
    (
        "Law",
        "law",
        "The law as data: `law show`, `odds`, `readings`, `coverage`, `edition`, `new-room`.",
        {
            "show": law.law_show,
            "odds": law.law_odds,
            "readings": law.law_readings,
            "coverage": law.law_coverage,
            "new-room": new_room.law_new_room,
        },
    ),
    (
        "Judging",
        "night",
        "Close a gaming day: `night --day DAY`, `night diff A B`, `night verify ISSUE`,"
        " `night sign`, `night signed`.",
        {
            "diff": night.night_diff,
            "verify": night.night_verify,
            "sign": night.night_sign,
            "signed": night.night_signed,
        },
    ),
    (
        "Ledger",
        "archive",
        "Gaming days as Parquet files: `archive write`, `archive verify`, `archive list`.",
        {
            "write": archive.archive_write,
            "verify": archive.archive_verify,
            "list": archive.archive_list,
        },
    ),
    ("Helpers", "floor", "A simulated floor: `floor simulate`.", {"simulate": floor.simulate}),
    (
        "Helpers",
        "schemas",
        "The contract with the floor: `schemas list`, `show`, `check`, `try`, `asyncapi`.",
        {
            "list": reference_commands.schemas_list,
            "show": reference_commands.schemas_show,
            "check": reference_commands.schemas_check,
            "try": producers.schemas_try,
            "asyncapi": producers.schemas_asyncapi,
        },
    ),
    (
        "Helpers",
        "serve",
        "The desk, pages to work in: `serve`; what writes for it: `serve writer`.",
        {"writer": writing.serve_writer},
    ),
    ("Helpers", "config", "The settings: `config show`.", {"show": reference_commands.config_show}),
)
_ALONE: Final[dict[str, Command]] = {
    "night": night.night,
    "observe": observing.observe,
    "serve": serving.serve,
}
"""Groups that are commands by themselves."""
_NESTED: Final[dict[str, tuple[tuple[str, str, dict[str, Command]], ...]]] = {
    "law": (
        (
            "edition",
            "A later text of a chapter: `law edition new`, `law edition whatif`.",
            {"new": edition.edition_new, "whatif": edition.edition_whatif},
        ),
    ),
}


READS: Final = frozenset(
    {
        *("verify", "prove", "checkpoint", "cat", "audit", "rounds", "tables", "clocks", "inforce"),
        *("history", "rollup", "worker"),
        *("explain", "sql", "doctor", "people", "round show", "coupons where", "coupons reconcile"),
        *("coupons outstanding", "actions list", "actions show", "actions alerts", "law show"),
        *("law odds", "law readings", "law coverage", "law edition whatif", "archive verify"),
        *("archive list", "schemas list", "schemas check", "schemas show", "config show"),
        *("night diff", "night verify", "schemas try", "schemas asyncapi"),
        *("witness show", "coupons holds", "find", "watch", "observe list", "shift show"),
        *("case list", "case check", "case letter", "whatif"),
    }
)
"""Commands that write nothing but caches, which can be made again."""


def is_write(words: Sequence[str]) -> bool:
    """Whether a command line may leave something behind when it is stopped."""
    plain = [word for word in words if not word.startswith("-")]
    return not any(" ".join(plain[:count]) in READS for count in (1, 2, 3))


def word_of(command: Command) -> str:
    """The word that a command is called by; ``import`` cannot be a function's name."""
    function = command.rpartition(":")[2]
    return "import" if function == "import_file" else function


def names() -> tuple[str, ...]:
    """The first word of every command."""
    single = [word_of(command) for _, commands in _SECTIONS for command in commands]
    return (*single, *GROUPS)


def _kinds() -> str:
    """The games of the floor, and every kind that `floor simulate --plant` takes."""
    from ledger.floor import COUPON_KINDS, GAMES, KINDS

    return (
        f"Games of the floor: {', '.join(GAMES)}.\n\n"
        f"Kinds of plants: {', '.join(KINDS)}.\n\n"
        f"With --coupons also: {', '.join(COUPON_KINDS)}.\n\n{EXIT_CODES}"
    )


def _is_single(words: Sequence[str]) -> bool:
    """Whether one command is called, and nothing is listed."""
    if any(word in ("--help", "-h") for word in words):
        return False
    return words[:1] != [] and words[0] in names() and (len(words) > 1 or words[0] not in GROUPS)


def _loaded(command: Command) -> Callable[..., int]:
    """The function of a command."""
    module, _, name = command.partition(":")
    function: Callable[..., int] = getattr(import_module(module), name)
    return function


def build(words: Sequence[str] = ()) -> App:
    """The application; where ``words`` begin with a command, it has no other command.

    Most of the time from a command line to its command was spent on the hundred others.
    """
    from ledger import __version__

    called = next((name for name in names() if words[:1] == [name]), None)
    command_of = str if _is_single(words) else _loaded  # a list of commands shows what each does
    app = App(
        name="pitledger",
        help=SUMMARY,
        help_epilogue=EXIT_CODES,
        version=__version__,
        help_format="markdown",
        suppress_keyboard_interrupt=False,
    )
    groups = {
        name: Group(name, sort_key=place)
        for place, name in enumerate(("Ledger", "Judging", "Law", "Helpers"))
    }
    app["--help"].group = app["--version"].group = Group("Options", sort_key=len(groups))
    for group, commands in _SECTIONS:
        for single in commands:
            if called in (None, word_of(single)):
                app.command(command_of(single), name=word_of(single), group=groups[group])
    for group, name, says, inner in _GROUPED:
        if called not in (None, name):
            continue
        part = App(name=name, help=says, group=groups[group])
        if name in _ALONE and words[:1] == [name]:
            part.default(_loaded(_ALONE[name]))
        for word, command in inner.items():
            part.command(command_of(command), name=word)
        for word, tells, last_words in _NESTED.get(name, ()):
            deeper = App(name=word, help=tells)
            for last, command in last_words.items():
                deeper.command(command_of(command), name=last)
            part.command(deeper)
        app.command(part)
    if [*words[:2]] == ["floor", "simulate"]:
        app["floor"]["simulate"].help_epilogue = _kinds()
    return app
