"""Commands of the coupon program: where a coupon is, a day reconciled, its forms, signatures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from ledger.cli.kept_answers import kept_answer
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_exact, emit_json, emit_list, progress, say

if TYPE_CHECKING:
    from ledger.audit import FormDesk
    from ledger.coupons.forms import Issue
    from ledger.kernel import FactRef
    from ledger.reports.forms import Stamp

FormFormat = Literal["text", "html", "csv", "xlsx", "json"]
Day = Annotated[date | None, Parameter(name="--day", show_default=False)]
Out = Annotated[Path | None, Parameter(name="--out", show_default=False)]
Name = Annotated[str, Parameter(name="NAME")]
MOST_DAYS: Final = 400
ENDINGS: Final = {"html": "html", "csv": "csv", "xlsx": "xlsx", "text": "txt"}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FormOptions:
    """Which ledger, and in what form."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger; default PITLEDGER_LEDGER, then ./pitledger-data."""

    format: Annotated[FormFormat, Parameter(name="--format")] = "text"
    """Text, a page that prints, tables for a spreadsheet, or data for scripts."""

    @property
    def folder(self) -> Path:
        """The folder that is meant."""
        return Options(ledger=self.ledger).folder


FORM_OPTIONS: Final = FormOptions()


@kept_answer
def coupons_where(serial: str, /, *, options: Options = OPTIONS) -> int:
    """Say where a coupon is, every step of its way, and every finding that names it.

    The exit code is 1 if a finding names it.

    Args:
        serial: its serial number, however it is written, such as M25-0041877.
    """
    from ledger.analytics import judged_by
    from ledger.audit import Arrivals, amended_of_coupon, findings_of_coupon
    from ledger.coupons import where
    from ledger.coupons.forms import box_of
    from ledger.reports import amended_data, amended_text
    from ledger.reports.coupon_location import named_text, where_data, where_line, where_text
    from ledger.reports.late_facts import mark_data, marked_words

    desk = form_desk(options.folder)
    location = where(desk.book, serial)
    carried, judged = options.folder / "cache" / "carried", judged_by(options.folder, desk.replay)
    named = findings_of_coupon(desk.replay, desk.house, desk.book, location.serial, carried, judged)
    codes = tuple(dict.fromkeys([*location.remarks, *(finding.code for finding in named)]))
    clock, replay = desk.house.clock, desk.replay
    line = where_line(location, clock, codes, box_of(desk.book, location.serial))
    steps = {step.move.ref for step in location.steps}
    amended = amended_of_coupon(desk.replay, desk.book, location.serial, steps)
    arrivals = Arrivals.of(desk.replay, desk.house)
    marks = [mark for ref in sorted(steps) if (mark := arrivals.of_fact(ref)) is not None]

    def position(ref: FactRef) -> int | None:
        return replay.recorded_at(*ref)

    if options.is_json:
        plain = where_data(line, location, clock, named, codes, position)
        marked = [mark_data(one) for one in marks]
        emit_json({**plain, "amended": [amended_data(one) for one in amended], "marked": marked})
    else:
        words = where_text(line, location, clock, position)
        emit(words + named_text(named) + amended_text(*amended))
        emit("".join(f"{line}\n" for line in marked_words(marks, clock)))
    return 1 if codes else 0


@kept_answer
def coupons_reconcile(*, day: Day = None, options: Options = OPTIONS) -> int:
    """Reconcile a gaming day: it balances to the serial number, or names each that breaks it.

    The exit code is 1 if anything does not balance, or cannot be shown to.

    Args:
        day: the gaming day, such as 2013-06-14; default the last with coupons.
    """
    from ledger.audit import amended_of_coupons
    from ledger.audit.coupon_forms import form_findings
    from ledger.coupons import reconcile
    from ledger.reports import amended_data, amended_text
    from ledger.reports.coupon_reconciliation import reconcile_data, reconcile_text
    from ledger.reports.late_facts import mark_data, marked_words

    desk = form_desk(options.folder)
    chosen = _day(desk, day)
    reconciliation = reconcile(desk.book, chosen)
    findings = [*reconciliation.findings, *form_findings(desk.replay, desk.book, chosen)]
    amended = amended_of_coupons(desk.replay, desk.book, chosen)
    marks = desk.marks(chosen)
    if options.is_json:
        plain = reconcile_data(reconciliation, findings)
        marked = [mark_data(mark) for mark in marks]
        emit_json({**plain, "amended": [amended_data(one) for one in amended], "marked": marked})
    else:
        emit(reconcile_text(reconciliation, findings) + amended_text(*amended))
        emit("".join(f"{line}\n" for line in marked_words(marks, desk.house.clock)))
    return (
        0
        if reconciliation.is_balanced
        and reconciliation.is_sure
        and reconciliation.is_over
        and not findings
        else 1
    )


@kept_answer
def coupons_outstanding(*, day: Day = None, options: Options = OPTIONS) -> int:
    """List every coupon that is out at the end of a gaming day, aged; what cannot be found first.

    The exit code is 1 if one cannot be found.

    Args:
        day: the gaming day, such as 2013-06-14; default the last with coupons.
    """
    from ledger.coupons.forms import open_ranges
    from ledger.reports.coupon_reconciliation import outstanding_row, outstanding_text

    desk = form_desk(options.folder)
    ranges = list(open_ranges(desk.book, _day(desk, day)))
    if options.is_json:
        emit_list(outstanding_row(one, desk.house.clock) for one in ranges)
    else:
        emit(outstanding_text(ranges, desk.house.clock))
    return 1 if any(one.is_lost for one in ranges) else 0


def coupons_form(
    name: Name, /, *, day: Day = None, out: Out = None, options: FormOptions = FORM_OPTIONS
) -> int:
    """Make one form of a gaming day, or of the month or quarter that it lies in.

    Forms: daily (with finance's reconciliation on the second page), finance, receipts, requisition,
    issues, returns, inventory, quarterly, unaccounted. One that was signed and has changed since is
    shown with what differs, beside the issue that was signed.

    The exit code is 0 if the form was made: whether the day balances says `coupons reconcile`.

    Args:
        name: which form.
        day: the gaming day, such as 2013-06-14; default the last with coupons.
        out: a file to write; xlsx needs one.
    """
    from ledger.cli.errors import OutNeeded

    if options.format == "xlsx" and out is None:
        raise OutNeeded("a workbook is no text")
    desk = form_desk(options.folder)
    stamp = stamp_of(desk, desk.log.origin)
    chosen = _day(desk, day)
    names = ("daily", "finance") if name == "daily" else (name,)
    document = rendered(desk.issues(chosen, names), stamp, options.format)
    if out is None:
        (emit_exact if options.format == "json" else emit)(document.decode())
    else:
        _write(out, document)
        say(f"{out}: {len(document):,} bytes")
    return 0


def coupons_forms(
    *,
    out: Annotated[Path, Parameter(name="--out")],
    day: Day = None,
    days: Annotated[int, Parameter(name="--days", validator=Number(gte=1, lte=MOST_DAYS))] = 1,
    options: Options = OPTIONS,
) -> int:
    """Write all forms of some gaming days, as pages, workbooks and tables, with one index page.

    The exit code is 0 if they were made: whether a day balances says `coupons reconcile`.

    Args:
        out: a folder; it is made if it is not there.
        day: the last of them, such as 2013-06-14; default the last with coupons.
        days: how many.
    """
    from ledger.audit.coupon_forms import form_findings
    from ledger.coupons import reconcile
    from ledger.coupons.forms import MAKERS
    from ledger.reports.coupon_reconciliation import balance_line
    from ledger.reports.forms import Group, Listed, file_stem, index_html, issue_data

    desk = form_desk(options.folder)
    stamp = stamp_of(desk, desk.log.origin)
    chosen = _days(desk, _day(desk, day), days)
    groups: list[Group] = []
    periods: dict[str, Listed] = {}
    for gaming_day in chosen:
        issues = {name: desk.issue(name, gaming_day) for name in MAKERS}
        listed: list[Listed] = []
        for name, issue in issues.items():
            pages = (issue, issues["finance"]) if name == "daily" else (issue,)
            stem = file_stem(issue, gaming_day)
            entry = Listed(issue=issue, files=_files(out, stem, pages, stamp))
            if issue.form.period:
                periods[stem] = entry
            else:
                listed.append(entry)
        reconciliation = reconcile(desk.book, gaming_day)
        findings = [*reconciliation.findings, *form_findings(desk.replay, desk.book, gaming_day)]
        balance = balance_line(reconciliation, findings)
        groups.append(
            Group(title=f"Gaming day {gaming_day}", balanced=balance, listed=tuple(listed))
        )
    lasting = Group(title="Month and quarter", balanced="", listed=tuple(periods.values()))
    groups = [*groups, *([lasting] if periods else [])]
    _write(out / "index.html", index_html(chosen, groups, stamp).encode())
    every = [entry for group in groups for entry in group.listed]
    if options.is_json:
        emit_json(
            {
                "index": str(out / "index.html"),
                "forms": [issue_data(entry.issue, stamp) for entry in every],
                "files": [file for entry in every for _, file in entry.files],
            }
        )
    else:
        of = f"gaming day {chosen[0]}" + (f" to {chosen[-1]}" if len(chosen) > 1 else "")
        emit(f"{out / 'index.html'}: {len(every)} forms of {of}\n")
    return 0


def _files(
    out: Path, stem: str, pages: tuple[Issue, ...], stamp: Stamp
) -> tuple[tuple[str, str], ...]:
    """Write a form in every format; the names of the files."""
    from ledger.reports.forms import forms_html

    files = []
    for format_, ending in ENDINGS.items():
        document = (
            forms_html(pages, stamp, "index.html").encode()
            if format_ == "html"
            else rendered(pages, stamp, format_)
        )
        _write(out / f"{stem}.{ending}", document)
        files.append((format_, f"{stem}.{ending}"))
    return tuple(files)


def coupons_sign(
    form: Annotated[str, Parameter(name="FORM")],
    /,
    *,
    by: Annotated[str, Parameter(name="--by")],
    name: Annotated[str, Parameter(name="--name")],
    signed_as: Annotated[str | None, Parameter(name="--as", show_default=False)] = None,
    day: Day = None,
    key: Annotated[Path | None, Parameter(name="--key", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Sign a form: a fact with the size and root of the ledger, and the digest that was signed.

    Args:
        form: which form, as for `coupons form`.
        by: the credential number of who signs.
        name: the printed name of who signs.
        signed_as: in what function, where a form has several: completed, authorized, returned, ...
        day: the gaming day of the form; default the last with coupons.
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    from ledger.cli.action_desk import NAME_NOT_CHECKED, NOT_PROVED
    from ledger.cli.form_signing import sign
    from ledger.cli.wall_clock import read_clock

    desk = form_desk(options.folder, from_entries=True)
    chosen = _day(desk, day)
    at = read_clock()
    is_named = desk.replay.roster().printed_name(by, at) is not None
    fact, position = sign(options.folder, desk, form, chosen, by, name, signed_as, at, key)
    if options.is_json:
        emit_json(
            {
                "form_id": fact.form_id,
                "issue": fact.issue,
                "supersedes": fact.supersedes,
                "signed_as": fact.signed_as.value,
                "person": by,
                "name_checked": is_named,
                "proved": fact.proof is not None,
                "tree_size": fact.tree_size,
                "root": fact.root.hex(),
                "digest": fact.digest.hex(),
                "fact": f"{fact.stream}:{fact.seq}",
                "position": position,
            }
        )
    else:
        emit(
            f"{fact.form_id} issue {fact.issue} signed by {by} as {fact.signed_as.value.lower()}\n"
            f"  on tree size {fact.tree_size}, digest {fact.digest.hex()}\n"
            f"  fact {fact.stream}:{fact.seq} at position {position}\n"
            + ("" if is_named else NAME_NOT_CHECKED)
            + ("" if fact.proof is not None else NOT_PROVED)
        )
    return 0


def form_desk(folder: Path, *, from_entries: bool = False) -> FormDesk:
    """The forms of a ledger; for signing, from the entries."""
    from ledger.audit import FormDesk
    from ledger.log import read_log
    from ledger.replay import Replay

    with progress("reading the coupons", ""):
        log = read_log(folder)
        replay = Replay.open(folder, size=log.size, from_entries=from_entries)
        return FormDesk.open(log, folder / "cache" / "carried", replay)


def stamp_of(desk: FormDesk, origin: str) -> Stamp:
    """Return what is stamped on the forms of a ledger, which has this origin."""
    from ledger.cli.settings import load
    from ledger.cli.wall_clock import read_clock
    from ledger.reports.forms import Stamp

    return Stamp(
        property_name=desk.house.office.property_name or "property not recorded",
        clock=desk.house.clock,
        tree_size=desk.replay.size,
        root=desk.replay.root.hex(),
        printed_at=read_clock(),
        origin=origin,
        paper=load().printed_on,
    )


def _day(desk: FormDesk, day: date | None) -> date:
    """The gaming day that is meant.

    Raises:
        DayUnknown: it lies outside the record of the coupons.
    """
    from ledger.audit import DayUnknown

    known = sorted(desk.book.days)
    if not known or (day is not None and not known[0] <= day <= known[-1]):
        span = f"{known[0]} to {known[-1]}" if known else "none"
        raise DayUnknown(
            f"The ledger has no coupon of the gaming day {day}.",
            next_step=f"its gaming days with coupons: {span}",
        )
    return day if day is not None else desk.last_day()


def _days(desk: FormDesk, last: date, count: int) -> list[date]:
    """Gaming days up to one, those before the first fact of coupons left out."""
    from datetime import timedelta

    first = min(desk.book.days)
    wanted = [last - timedelta(days=back) for back in reversed(range(count))]
    return [one for one in wanted if one >= first]


def rendered(issues: tuple[Issue, ...], stamp: Stamp, format_: str) -> bytes:
    """Return forms in a format, as bytes: html, csv, xlsx, json or text."""
    import json

    from ledger.reports.forms import forms_csv, forms_html, forms_text, forms_xlsx, issue_data

    match format_:
        case "html":
            return forms_html(issues, stamp).encode()
        case "csv":
            return forms_csv(issues, stamp).encode()
        case "xlsx":
            return forms_xlsx(issues, stamp)
        case "json":
            plain = [issue_data(one, stamp) for one in issues]
            return f"{json.dumps(plain, ensure_ascii=False, indent=2)}\n".encode()
        case _:
            return forms_text(issues, stamp).encode()


def _write(path: Path, document: bytes) -> None:
    from ledger.cli.errors import FileUnwritable

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document)
    except OSError as error:
        raise FileUnwritable(path, error) from error
