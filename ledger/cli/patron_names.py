"""Commands for names and addresses of patrons: forget them, or hold them for the law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list

if TYPE_CHECKING:
    from ledger.cli.unrecorded_acts import CheckedPerson
    from ledger.kernel import PropertyClock

Openings = Annotated[list[str], Parameter(name="OPENING")]
By = Annotated[str, Parameter(name="--by")]
Custodian = Annotated[str | None, Parameter(name="--by", show_default=False)]
Reason = Annotated[str, Parameter(name="--reason")]


def coupons_forget(
    openings: Openings,
    /,
    *,
    dry_run: Annotated[bool, Parameter(name="--dry-run", negative="")] = False,
    by: Custodian = None,
    options: Options = OPTIONS,
) -> int:
    """Erase names and addresses of patrons for good, backups included; the ledger stays whole.

    The key of each person is destroyed, so that no copy of the names can be read any more. Refused
    rows of mailing lists are erased with them, and the names that corrections of the same
    rows left behind. The sheet that the names came from is not
    the ledger's: destroy it too. A later import of it does not bring them back. A legal hold on one
    of them forbids it, and so does a case about one of their coupons that holds footage.

    Args:
        openings: the numbers of the openings, as the mailing list's facts have them.
        dry_run: only list what would be erased and which legal holds forbid it; the exit code is 1
            if one does.
        by: your credential, of a supervisor of finance or of those who administer; you prove who
            you are once anybody is enrolled to prove it.
    """
    from ledger.casework.cases import CaseFiles, HeldByCase
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import ErasableStore, OpeningUnknown, mailed_serials, with_earlier_names
    from ledger.replay import Replay

    store, replay = ErasableStore(options.folder), Replay.open(options.folder)
    check_person(options.folder, replay, "forget", by, read_clock())
    wanted = with_earlier_names(replay, store, openings)
    if CaseFiles.read(replay).held_coupons() & mailed_serials(replay, wanted):
        raise HeldByCase
    if not dry_run:
        erased = store.erase(wanted)
        if options.is_json:
            emit_json({"erased": erased})
        else:
            emit(f"{erased} openings erased; their commitments can no longer be opened.\n")
        return 0
    for opening in wanted:
        if not store.keeps(opening):
            raise OpeningUnknown(f"There is no opening {opening[:64]!r}.")
    holds = [hold for hold in store.holds() if hold.opening in wanted and hold.released_at is None]
    if options.is_json:
        emit_json({"openings": list(wanted), "held": sorted({hold.opening for hold in holds})})
    else:
        reasons = {hold.opening: f"held by {hold.placed_by}: {hold.reason}" for hold in holds}
        lines = [f"  {opening}  {reasons.get(opening, 'would be erased')}" for opening in wanted]
        verdict = "A legal hold forbids it." if holds else "No legal hold forbids it."
        emit("\n".join([f"Nothing was erased. {verdict}", *lines]) + "\n")
    return 1 if holds else 0


def coupons_hold(
    openings: Openings, /, *, reason: Reason, by: By, options: Options = OPTIONS
) -> int:
    """Place a legal hold on names and addresses: until it is released, `forget` refuses them.

    Names that corrections of the same rows left or brought are held with them.

    Args:
        openings: the numbers of the openings, as the mailing list's facts have them.
        reason: why they are held, such as the docket; name no patron in it.
        by: credential of the person who places it.
    """
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import ErasableStore, with_earlier_names
    from ledger.replay import Replay

    at, replay, store = read_clock(), Replay.open(options.folder), ErasableStore(options.folder)
    checked = check_person(options.folder, replay, "hold", by, at)
    wanted = with_earlier_names(replay, store, openings)
    store.hold(wanted, reason, by, at)
    return _say_done("held", len(wanted), checked, options)


def coupons_release(
    openings: Openings, /, *, reason: Reason, by: By, options: Options = OPTIONS
) -> int:
    """Release every legal hold of names and addresses; who released it and why is kept.

    Args:
        openings: the numbers of the openings that are held, as `coupons holds` lists them.
        reason: why they are no longer held.
        by: credential of the person who releases them.
    """
    from ledger.cli.unrecorded_acts import check_person
    from ledger.cli.wall_clock import read_clock
    from ledger.intake import ErasableStore
    from ledger.replay import Replay

    at = read_clock()
    checked = check_person(options.folder, Replay.open(options.folder), "release", by, at)
    count = ErasableStore(options.folder).release(openings, reason, by, at)
    return _say_done("released", count, checked, options)


def coupons_holds(*, options: Options = OPTIONS) -> int:
    """List the legal holds of names and addresses, released ones too.

    They lie in the erasable store beside the ledger, which does not prove them.
    """
    from ledger.audit import read_office
    from ledger.intake import ErasableStore
    from ledger.kernel import to_datetime
    from ledger.replay import Replay

    holds = ErasableStore(options.folder).holds()
    clock = read_office(Replay.open(options.folder)).clock

    if options.is_json:
        emit_list(
            {
                "opening": hold.opening,
                "reason": hold.reason,
                "placed_by": hold.placed_by,
                "placed_at": to_datetime(hold.placed_at).isoformat(),
                "released_by": hold.released_by,
                "released_at": hold.released_at and to_datetime(hold.released_at).isoformat(),
                "release_reason": hold.release_reason,
            }
            for hold in holds
        )
        return 0
    lines = []
    for hold in holds:
        since = _local(clock, hold.placed_at)
        lines.append(f"{hold.opening}  held since {since} by {hold.placed_by}: {hold.reason}")
        if hold.released_at is not None:
            until = _local(clock, hold.released_at)
            lines.append(f"  released {until} by {hold.released_by}: {hold.release_reason}")
    emit("\n".join(lines or ["No legal hold was ever placed."]) + "\n")
    return 0


def _local(clock: PropertyClock, at: int) -> str:
    return clock.local(at).strftime("%Y-%m-%d %H:%M")


def _say_done(done: str, count: int, checked: CheckedPerson, options: Options) -> int:
    from ledger.cli.action_desk import say_what_is_unchecked
    from ledger.kernel import plural

    if options.is_json:
        emit_json({done: count, **checked.data})
    else:
        text = f"{plural(count, 'hold')} released.\n"
        if done == "held":
            text = f"{plural(count, 'opening')} held; nobody can forget them until a release.\n"
        emit(text)
        say_what_is_unchecked(checked.roster, checked.is_proved)
    return 0
