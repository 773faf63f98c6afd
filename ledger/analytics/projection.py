"""The projection of a ledger on disk: is it the ledger's, is it whole, and how it is replaced.

In ``cache/marts`` lie the marts of each gaming day as Parquet files (``mart_files``) and a head:
the tree size and root that they were made from, the DuckDB version, the hash of the code, and each
file's name and SHA-256. The ledger's key seals the head, so that a cut, flipped, exchanged or
forged file is never read: a file is held against its SHA-256 when a question first reads it. Every
entry behind an answer is proved before (``log.bundle_states``), so that nothing is answered from a
ledger that was changed since. What changed is written as new files, then the head is replaced by a
rename; readers keep what they opened.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AnySet
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from ledger.analytics.code_fingerprint import code_hash
from ledger.analytics.errors import CacheUnwritable, ProjectionStale
from ledger.analytics.mart_files import (
    LISTED,
    SUFFIX,
    Columns,
    DayMarts,
    EarlierDays,
    MartFile,
    Soundness,
    Vouched,
    clear,
    is_whole,
    quoted,
    select_of,
)
from ledger.analytics.scratch_folder import ScratchFolder
from ledger.kernel.cache_obstacles import CacheObstacle, note_obstacle, reason_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.bundle_states import (
    BundleStates,
    Stretches,
    bundle_states,
    joined_stretches,
    stretches,
)
from ledger.log.ledger_at_checkpoint import CACHE, FileSnapshot, read_log
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.tiles import WIDTH

if TYPE_CHECKING:
    import duckdb

    from ledger.analytics.build import Progress
    from ledger.analytics.judged_tables import JudgedTables
    from ledger.audit import HouseRecord
    from ledger.replay import Replay

FOLDER: Final = "marts"
"""Where a projection lies in the folder of the ledger's cache."""
HEAD: Final = "head"
LOCK: Final = "lock"
KIND: Final = "projection"
"""What the head is called in the index that seals it."""
READ_MB: Final = 512
READ_THREADS: Final = 2
KEPT_DAYS: Final = 96
"""Of how many gaming days a read model keeps in memory what it read, some 3 MB of each."""
IN_MEMORY: Final = frozenset({"rounds"})
"""The marts that are read once for a set of a few gaming days: a search asks them repeatedly."""
DAYS_IN_MEMORY: Final = 4
"""How many gaming days are a few."""
EARLIER: Final = ("projection.duckdb", "projection.json", "projection.bundles", "projection.lock")
"""What earlier versions left in the cache."""

WhenStale = Literal["rebuild", "refuse", "use"]
"""What to do with a projection that is not of the present: ``use`` takes one of an earlier state of
the same ledger as it is, and rebuilds only what cannot be read or trusted."""


class ProjectionState(StrEnum):
    """How a projection stands to its ledger."""

    FRESH = "fresh"
    MISSING = "missing"
    DAMAGED = "damaged, or not sealed by the ledger's key"
    OTHER_VERSION = "built by another version"
    BEHIND = "of an earlier state of the ledger"
    FOREIGN = "of another ledger"


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A projection that was found whole: where it lies, and what it was built from.

    Attributes:
        path: the folder of its files.
        tree_size: entries of the ledger that it was built from.
        root: the ledger's root at that size, as hex.
        duckdb_version: the DuckDB that wrote it.
        code_hash: of the code that built it; other code builds anew.
        columns: by mart, its columns.
        days: what stands of each gaming day, in order.
        undated: by mart, the file of each whose rows are of no day.
        clock: the property's time zone, and the minutes from midnight at which its day starts.
        sound: what of the ledger's streams was torn.
        office: the bundles of entries that hold facts of an office, which bear on any day.
        ledger_size: entries of the ledger when the projection was opened.
        rebuilt: whether anything was written to open it.
        scratch: the folder in which it lies where it is not kept; it goes with it.
    """

    path: Path
    tree_size: int
    root: str
    duckdb_version: str
    code_hash: str
    columns: Mapping[str, Columns]
    days: tuple[DayMarts, ...]
    undated: Mapping[str, MartFile]
    clock: tuple[str, int]
    sound: Soundness
    office: Stretches
    ledger_size: int
    rebuilt: bool = False
    scratch: ScratchFolder | None = None

    @property
    def about(self) -> str:
        """The SELECT of what a query can ask of the projection itself."""
        words = (quoted(self.root), quoted(self.duckdb_version), quoted(self.code_hash))
        names = ("root", "duckdb_version", "code_hash")
        columns = [f"CAST({self.tree_size} AS BIGINT) AS tree_size"]
        columns += [f"{word} AS {name}" for word, name in zip(words, names, strict=True)]
        return f"SELECT {', '.join(columns)}"

    def files(self, mart: str, days: AnySet[date] | None = None) -> dict[str, str]:
        """Return the SHA-256 of each file of a mart by name, in order of the days.

        Args:
            mart: which.
            days: only what is of these gaming days, or of none; None: all.
        """
        wanted = (day.files.get(mart) for day in self.days if days is None or day.day in days)
        return {file.name: file.sha256 for file in (*wanted, self.undated.get(mart)) if file}

    def select(self, mart: str, days: AnySet[date] | None = None) -> str:
        """Return the SELECT that reads a mart; arguments as for ``files``."""
        return select_of(self.path.resolve(), self.columns[mart], self.files(mart, days))

    def connect(self, again: Callable[[], Projection] | None = None) -> ReadModel:
        """Open it for reading, for queries of our own.

        Args:
            again: makes it again where a file of it turns out to be damaged or gone.
        """
        return ReadModel(self, again)


class ReadModel:
    """The marts of a projection in a DuckDB of its own; a mart is read where a query names it.

    Args:
        projection: what is read.
        again: as for ``Projection.connect``.
    """

    def __init__(self, projection: Projection, again: Callable[[], Projection] | None) -> None:
        self.projection = projection
        self._again = again
        self._days: AnySet[date] | None = None
        self._narrowings: dict[frozenset[date], str] = {}
        self._schemas = 0
        self._answers: dict[tuple[str, str], list[tuple[Any, ...]]] = {}
        self._open()

    def _open(self) -> None:
        import _duckdb as duckdb  # without its layer of Python, a fifth of such a question

        from ledger.analytics.query_sandbox import shut

        self._views: set[tuple[str, str]] = set()
        self._whole: set[str] = set()
        self._connection = duckdb.connect(":memory:")
        projection = self.projection
        folder = str(projection.path.resolve())
        shut(self._connection, [folder], READ_MB, READ_THREADS, folders=True)
        self._connection.execute(f"CREATE VIEW projection AS {projection.about}")
        self._enter(self._days)

    def execute(self, query: str, parameters: object = ()) -> duckdb.DuckDBPyConnection:
        """Run a query of our own.

        Raises:
            ProjectionStale: a file of it is not there any more, or is not what was sealed.
        """
        named = [mart for mart in self.projection.columns if re.search(rf"\b{mart}\b", query)]
        while lacking := [mart for mart in named if mart not in self._whole]:
            self._view(lacking[0])
        return self._run(query, parameters)

    def _run(self, query: str, parameters: object) -> duckdb.DuckDBPyConnection:
        import _duckdb as duckdb

        try:
            return self._connection.execute(query, parameters)
        except duckdb.IOException as error:  # it was read longer than files stay
            raise ProjectionStale(
                "another one has taken its place", str(self.projection.path)
            ) from error

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query over all gaming days; what was asked before is not read again.

        Raises:
            ProjectionStale: as for ``execute``.
        """
        assert self._days is None
        asked = query, repr(parameters)
        if asked not in self._answers:
            self._answers[asked] = self.execute(query, list(parameters)).fetchall()
        return self._answers[asked]

    def rows_of_days(
        self, mart: str, days: AnySet[date], query: str, parameters: Sequence[object] = ()
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query about one mart, of which nothing is kept for further ones.

        Args:
            mart: the only one that the query names.
            days: what is of these gaming days is read.
            query: the question.
            parameters: what stands for its question marks.

        Raises:
            ProjectionStale: as for ``execute``.
        """
        self._hold(mart, days)
        asked = f"WITH {mart} AS ({self.projection.select(mart, days)}) {query}"
        return self._run(asked, list(parameters)).fetchall()

    @contextmanager
    def narrowed(self, days: AnySet[date] | None) -> Iterator[None]:
        """Let queries read only what is of some gaming days, and no file of others.

        Args:
            days: the gaming days; None: all.
        """
        self._enter(days)
        try:
            yield
        finally:
            self._enter(None)

    def _enter(self, days: AnySet[date] | None) -> None:
        self._days, self._schema = days, "main"
        if days is not None:
            self._schema = self._narrowings.pop(frozenset(days), "") or self._new_schema()
            self._narrowings[frozenset(days)] = self._schema
            self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
            self._whole = set()  # each time its files are held against their hashes
        else:
            self._whole = {mart for schema, mart in self._views if schema == "main"}
        self._connection.execute(f"SET search_path = '{self._schema},main'")

    def _new_schema(self) -> str:
        """Name a schema for a further set of gaming days; let go of those used longest ago."""
        while sum(map(_days_in_memory, self._narrowings)) >= KEPT_DAYS:
            oldest = self._narrowings.pop(next(iter(self._narrowings)))
            self._connection.execute(f"DROP SCHEMA IF EXISTS {oldest} CASCADE")
            self._views = {(schema, mart) for schema, mart in self._views if schema != oldest}
        self._schemas += 1
        return f"days_{self._schemas}"

    def _view(self, mart: str) -> None:
        """Let a mart be asked for, once its files are known to be whole."""
        if not self._hold(mart, self._days):
            return
        if (self._schema, mart) not in self._views:
            select = self.projection.select(mart, self._days)
            is_few = self._days is not None and len(self._days) <= DAYS_IN_MEMORY
            kind = "TABLE" if is_few and mart in IN_MEMORY else "VIEW"
            self._connection.execute(f"CREATE {kind} {self._schema}.{mart} AS {select}")
            self._views.add((self._schema, mart))
        self._whole.add(mart)

    def _hold(self, mart: str, days: AnySet[date] | None) -> bool:
        """Hold a mart's files against their hashes; False where all is made and opened again."""
        if is_whole(self.projection.path, self.projection.files(mart, days)):
            return True
        rebuilt = None if self._again is None else self._again()
        self._again = None
        if rebuilt is None or rebuilt.root != self.projection.root:
            raise ProjectionStale("another one has taken its place", str(self.projection.path))
        self.projection = rebuilt
        self.close()
        self._open()
        return False

    def close(self) -> None:
        """Let go of it."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _days_in_memory(days: AnySet[date]) -> int:
    """How much a set of gaming days counts: a set of many keeps no rows, only what it asks for."""
    return len(days) if len(days) <= DAYS_IN_MEMORY else 1


def read_model(
    folder: Path, *, when_stale: WhenStale = "rebuild", progress: Progress | None = None
) -> ReadModel:
    """Open the projection of a ledger for reading, as ``open_projection`` gives it."""
    projection = open_projection(folder, when_stale=when_stale, progress=progress)
    return projection.connect(lambda: open_projection(folder, is_read_whole=True))


def inspect_projection(
    folder: Path, *, where: Path | None = None
) -> tuple[ProjectionState, Projection | None]:
    """How the projection of a ledger stands, and the projection if it is whole; nothing is changed.

    Args:
        folder: the ledger.
        where: the folder of the cache, if it is not the ledger's own.
    """
    state, projection = _look(read_log(folder), _place(folder, where), Seals.of(folder))
    if projection is not None and not _is_whole(projection):
        return ProjectionState.DAMAGED, None
    return state, projection


def open_projection(
    folder: Path,
    *,
    when_stale: WhenStale = "rebuild",
    where: Path | None = None,
    is_read_whole: bool = False,
    progress: Progress | None = None,
) -> Projection:
    """The projection of a ledger, of its present state unless said otherwise.

    Where it cannot be kept (no key, a folder that is only read, a full disk), it is made for this
    process alone, and nothing beside the ledger changes; ``kernel.cache_obstacles`` notes why.

    Its files are held against their hashes when they are read; the entries that a question rests on
    are proved by ``prove_entries``.

    Args:
        folder: the ledger.
        when_stale: what to do where it is not of the present state.
        where: the folder of the cache, if it is not the ledger's own.
        is_read_whole: hold all files against their hashes at once; the days of others are made
            again.
        progress: for a rebuild, told of each gaming day.

    Raises:
        ProjectionStale: it would have to be rebuilt, and ``when_stale`` is ``refuse``.
        CacheUnwritable: it must be rebuilt and there is no place for it.
        IntegrityBroken: an entry is not what was signed.
    """
    place = _place(folder, where)
    log, seals = read_log(folder), Seals.of(folder)
    check = is_read_whole or when_stale == "refuse"
    projection = _usable(log, place, seals, when_stale, check=check)
    if projection is not None:
        return projection
    if seals.signer is None:
        note_obstacle(CacheObstacle.NO_KEY)
        return _for_this_process(folder, place, seals, progress)
    try:
        with _locked(place):  # whoever waited here may find that another process has rebuilt it
            log = read_log(folder)
            projection = _usable(log, place, seals, when_stale, check=check)
            if projection is None:
                earlier = _earlier(log, place, seals, check=check)
                return _rebuild(folder, place, seals, progress, earlier)
            return projection
    except CacheUnwritable as refusal:
        cause = refusal.__cause__
        why = reason_of(cause) if isinstance(cause, OSError) else None
        if why is None:
            raise
        note_obstacle(why)
    return _for_this_process(folder, place, seals, progress)


def prove_entries(
    folder: Path,
    projection: Projection,
    days: Iterable[date] | None = None,
    *,
    office: bool = True,
    states: BundleStates | None = None,
) -> None:
    """Prove the entries of facts that a projection was made from to the ledger's checkpoint.

    Args:
        folder: the ledger.
        projection: as it was opened.
        days: the gaming days whose tables' facts an answer rests on; None: every entry.
        office: prove the facts of offices beside those of some days; False: the caller has.
        states: what is known of the ledger's bundles at its checkpoint; None: it is read.

    Raises:
        IntegrityBroken: an entry is not what was signed.
    """
    states = states or bundle_states_of(folder, projection)
    if days is None:
        states.prove()
        return
    wanted = frozenset(days)
    of_days = [span for day in projection.days if day.day in wanted for span in day.bundles]
    states.prove_all(joined_stretches([*(projection.office if office else ()), *of_days]))


def bundle_states_of(folder: Path, projection: Projection) -> BundleStates:
    """Return what is known of a ledger's bundles at its checkpoint, for ``prove_entries``."""
    return bundle_states(read_log(folder), projection.path.parent, Seals.of(folder))


def vouched_parts(folder: Path, replay: Replay, house: HouseRecord) -> Vouched:
    """Return the judgments that the read model was made from, where they stand as the ledger is.

    Each was held against all that bears on it, then or when the ledger had grown: who has it need
    not do so again. Notes of persons, which bear on no judgment, may have come since.

    Args:
        folder: the ledger.
        replay: the ledger's replay.
        house: the house's facts.

    Returns:
        The judgments and their bundles; nothing where anything else came since.
    """
    state, projection = _look(read_log(folder), folder / CACHE, Seals.of(folder))
    if projection is None or state not in (ProjectionState.FRESH, ProjectionState.BEHIND):
        return Vouched()
    if projection.tree_size != replay.size:
        from ledger.analytics.affected_days import affected_days, is_of_notes

        earlier = EarlierDays(
            size=projection.tree_size,
            sound=projection.sound,
            days={marts.day: marts for marts in projection.days},
            is_whole=True,
            undated=projection.undated,
        )
        if projection.tree_size > replay.size or not is_of_notes(replay, earlier):
            return Vouched()
        if affected_days(replay, house, earlier) is None:
            return Vouched()
    parts = {
        (table, day.day): digest
        for day in projection.days
        for table, digest in day.parts.items()
        if state is ProjectionState.FRESH or table != LISTED  # a note can bear on what lists show
    }
    of_tables = {day.day: day.bundles for day in projection.days}
    coupons = [span for day in projection.days for span in day.coupons]
    return Vouched(parts, of_tables, coupons, projection.office)


def judged_by(folder: Path, replay: Replay) -> JudgedTables:
    """Return the judged tables of a ledger, with what its read model vouches for.

    Args:
        folder: the ledger.
        replay: the ledger's replay.
    """
    from ledger.analytics.judged_tables import JudgedTables

    return JudgedTables(replay, folder / CACHE, partial(vouched_parts, folder, replay))


def rebuild_projection(
    folder: Path,
    *,
    where: Path | None = None,
    progress: Progress | None = None,
) -> Projection:
    """Build the projection anew, whatever stands there."""
    read_log(folder)
    place = _place(folder, where)
    with _locked(place):
        return _rebuild(folder, place, Seals.of(folder), progress, None)


def _place(folder: Path, where: Path | None) -> Path:
    return folder / CACHE if where is None else where


def _usable(
    log: FileSnapshot, place: Path, seals: Seals, when_stale: WhenStale, *, check: bool
) -> Projection | None:
    """What can be read as it is; None where a rebuild is due."""
    state, projection = _look(log, place, seals)
    if check and projection is not None and not _is_whole(projection):
        state = ProjectionState.DAMAGED
    if state is ProjectionState.FRESH:
        return projection
    if when_stale == "use" and state is ProjectionState.BEHIND:
        return projection
    if when_stale == "refuse":
        raise ProjectionStale(f"it is {state}", str(place / FOLDER))
    return None


def _look(
    log: FileSnapshot, place: Path, seals: Seals
) -> tuple[ProjectionState, Projection | None]:
    """How the head stands; the files that it names are not read."""
    if not (place / FOLDER / HEAD).exists():
        is_left = any((place / FOLDER).glob(f"*{SUFFIX}"))
        return ProjectionState.DAMAGED if is_left else ProjectionState.MISSING, None
    projection = _read_head(place, seals, log.size)
    if projection is None:
        return ProjectionState.DAMAGED, None
    if projection.duckdb_version != _installed_duckdb() or projection.code_hash != _made_by(log):
        return ProjectionState.OTHER_VERSION, projection
    if (
        projection.tree_size > log.size
        or log.root_at(projection.tree_size).hex() != projection.root
    ):
        return ProjectionState.FOREIGN, projection
    if projection.tree_size < log.size:
        return ProjectionState.BEHIND, projection
    return ProjectionState.FRESH, projection


def _installed_duckdb() -> str:
    """The version of the installed DuckDB, by the name of its folder: neither it nor a parser of
    packages' descriptions is loaded for that."""
    spec = find_spec("duckdb")
    if spec is not None and spec.origin is not None:
        named = [path.name for path in Path(spec.origin).parent.parent.glob("duckdb-*.dist-info")]
        if len(named) == 1:
            return named[0].removeprefix("duckdb-").removesuffix(".dist-info")
    from importlib.metadata import version

    return version("duckdb")


def _made_by(log: FileSnapshot) -> str:
    """The code, and what was erased: what stood in a projection before must not be read again."""
    return code_hash() + (log.openings.state().hex() if log.is_sealed else "")


def _read_head(place: Path, seals: Seals, ledger_size: int) -> Projection | None:
    """What the head says; None where the ledger's key did not seal it."""
    stored = SealedFolder(place / FOLDER, KIND, seals).read(HEAD)
    if stored is None:
        return None
    try:
        head = json.loads(stored)
        days = tuple(
            DayMarts(
                day=date.fromisoformat(day["day"]),
                digest=day["digest"],
                bundles=[(first, stop) for first, stop in day["bundles"]],
                coupons=[(first, stop) for first, stop in day["coupons"]],
                reach=day["reach"],
                parts=day["parts"],
                observed=day["observed"],
                files=_files(day["files"]),
            )
            for day in head.pop("days")
        )
        undated = _files(head.pop("undated"))
        head["clock"] = tuple(head["clock"])
        head["office"] = [(first, stop) for first, stop in head["office"]]
        return Projection(
            path=place / FOLDER, ledger_size=ledger_size, days=days, undated=undated, **head
        )
    except (ValueError, TypeError, AttributeError, KeyError):
        return None


def _files(listed: Mapping[str, str]) -> dict[str, MartFile]:
    return {mart: MartFile.of(mart, digest) for mart, digest in listed.items()}


def _is_whole(projection: Projection) -> bool:
    marts = projection.columns
    return all(is_whole(projection.path, projection.files(mart)) for mart in marts)


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """One process builds at a time; the lock goes with the process that holds it."""
    folder = place / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise CacheUnwritable(error.strerror or str(error), str(folder)) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _earlier(
    log: FileSnapshot, place: Path, seals: Seals, *, check: bool = True
) -> EarlierDays | None:
    """The days of this ledger and this code whose files are whole.

    Without ``check`` no file is read: whoever reads one that is not whole asks for all to be held
    against their hashes, and a note costs nothing that grows with the days.
    """
    state, projection = _look(log, place, seals)
    if projection is None or state not in (ProjectionState.BEHIND, ProjectionState.FRESH):
        return None

    def stands(files: Iterable[MartFile]) -> bool:
        return not check or is_whole(projection.path, {one.name: one.sha256 for one in files})

    if not stands(projection.undated.values()):
        return None
    whole = {day.day: day for day in projection.days if stands(day.files.values())}
    return EarlierDays(
        size=projection.tree_size,
        sound=projection.sound,
        days=whole,
        is_whole=len(whole) == len(projection.days),
        undated=projection.undated,
    )


def _for_this_process(
    folder: Path, place: Path, seals: Seals, progress: Progress | None
) -> Projection:
    """Build the projection for this process alone; what stands of it is taken over."""
    try:
        scratch = ScratchFolder()
    except OSError as error:
        raise CacheUnwritable(error.strerror or str(error), str(place)) from error
    earlier = _earlier(read_log(folder), place, seals)
    try:
        (scratch.path / FOLDER).mkdir()
        for name in () if earlier is None else earlier.names():
            copyfile(place / FOLDER / name, scratch.path / FOLDER / name)
    except OSError:  # its writer has just replaced it, or there is no room for both
        earlier = None
    built = _rebuild(folder, scratch.path, seals, progress, earlier, judged_in=place)
    return replace(built, scratch=scratch)


def _rebuild(
    folder: Path,
    place: Path,
    seals: Seals,
    progress: Progress | None,
    earlier: EarlierDays | None,
    judged_in: Path | None = None,
) -> Projection:
    """Write the files of the days that changed, then the head.

    ``earlier`` is what stands; None: all is built anew. ``judged_in`` is where judged tables are
    kept; None: in ``place``.
    """
    import duckdb

    from ledger.analytics.build import build_days  # who only reads is spared the rules
    from ledger.analytics.marts import marts
    from ledger.replay import Replay

    replay, log = Replay.open(folder), read_log(folder)
    code, path = _made_by(log), place / FOLDER
    try:
        built_days = build_days(
            replay, path, cache=judged_in or place, earlier=earlier, progress=progress
        )
        bundle_states(log, place, seals).prove(
            first=0 if earlier is None else earlier.size // WIDTH,
            stop=replay.size // WIDTH,
            digests=replay.bundle_digests,
        )
        built = Projection(
            path=path,
            tree_size=replay.size,
            root=replay.root.hex(),
            duckdb_version=duckdb.__version__,
            code_hash=code,
            columns={one.name: [(each.name, each.type) for each in one.columns] for one in marts()},
            days=built_days.days,
            undated=built_days.undated,
            clock=built_days.clock,
            sound=built_days.sound,
            office=stretches(
                replay.bundles_of([name for names in replay.offices().values() for name in names])
            ),
            ledger_size=replay.size,
            rebuilt=True,
        )
        _write_head(built, place, seals)
    except OSError as error:
        raise CacheUnwritable(error.strerror or str(error), str(path)) from error
    except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException) as error:
        raise CacheUnwritable(str(error), str(path)) from error
    return built


def _named(projection: Projection) -> list[str]:
    """The files that a projection consists of."""
    return [name for mart in projection.columns for name in projection.files(mart)]


def _write_head(built: Projection, place: Path, seals: Seals) -> None:
    """Let readers have it, and remove what nobody reads any more."""
    head = {
        "tree_size": built.tree_size,
        "root": built.root,
        "duckdb_version": built.duckdb_version,
        "code_hash": built.code_hash,
        "columns": built.columns,
        "days": [
            {
                "day": day.day.isoformat(),
                "digest": day.digest,
                "bundles": day.bundles,
                "coupons": day.coupons,
                "reach": day.reach,
                "parts": day.parts,
                "observed": day.observed,
                "files": {mart: file.sha256 for mart, file in day.files.items()},
            }
            for day in built.days
        ],
        "clock": built.clock,
        "sound": built.sound,
        "office": built.office,
        "undated": {mart: file.sha256 for mart, file in built.undated.items()},
    }
    stored = json.dumps(head, separators=(",", ":")).encode()
    before = _read_head(place, seals, built.ledger_size)
    SealedFolder(place / FOLDER, KIND, seals).write(HEAD, [stored])
    clear(built.path, _named(built), () if before is None else _named(before))
    for name in EARLIER:
        with suppress(OSError):
            (place / name).unlink(missing_ok=True)
