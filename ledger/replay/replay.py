"""The replay of one log: which streams there are, and their facts in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AnySet
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.codec import decode as decode_fact
from ledger.codec import registry, schema_id_of
from ledger.events import Fact
from ledger.kernel import FactRef, table_of
from ledger.log import EarlierLog, read_log
from ledger.log.bundle_states import bundle_states, stretches
from ledger.log.entry import ACCEPTED, SCHEMA_USED, SEALED, decode
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.log.log_at_earlier_size import files_of
from ledger.log.port import ReadableLog
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.tiles import WIDTH, unpack
from ledger.replay import stream_checks
from ledger.replay.amendments import Amended, Amendment
from ledger.replay.attendance import attending
from ledger.replay.bundles import (
    Bundles,
    is_noting,
    note_bundles,
    opening_state,
    snapshot_of,
)
from ledger.replay.errors import ErasedSince, LogReplaced
from ledger.replay.fact_header import fact_head
from ledger.replay.index import Index, IndexPass, build, first_difference
from ledger.replay.kept_index import FOLDER, KeptIndex
from ledger.replay.leaves import leaf_hashes, recorded
from ledger.replay.prefix_hash import prefix_hash
from ledger.replay.prefix_key import DIGEST, PrefixHashes, PrefixKeys
from ledger.replay.quarantine import conflicts, unreadable
from ledger.replay.replay_items import (
    Conflict,
    FactStep,
    Gap,
    OddKey,
    OutOfOrder,
    RecordedEntry,
    Registration,
    SourceDiffers,
    Step,
    StreamExtent,
    Unreadable,
)
from ledger.replay.roster import KINDS as CREDENTIALS
from ledger.replay.roster import Roster, roster_of
from ledger.replay.row_blocks import Rows
from ledger.replay.stream_index import KIND_UNKNOWN, StreamIndex, head_of, kind_numbers
from ledger.replay.table_facts import TableFacts, table_facts
from ledger.replay.walk import KeptFacts, StreamPart, part_of, places_of, times_around, walk


class CameSince(NamedTuple):
    """A stream of which something came.

    Attributes:
        stream: its name.
        known: its index.
        rows: those of its rows among which all are that came.
        start: the number of the first of them.
        came: which of them came.
    """

    stream: str
    known: StreamIndex
    rows: Rows
    start: int
    came: NDArray[np.bool_]


class Replay:
    """The facts of a log in order, as it stood when the replay was made.

    It reads every entry once when it is made, and again what a walk goes through; one made by
    ``open`` takes up the index that was kept and reads the entries that came since. One made by
    ``open`` can be pickled: a copy takes the index along and opens the folder again, so that a
    pool of processes walks a table each.

    Times are microseconds UTC. The time of a fact is mostly its merge time: its event time, unless
    the event times of its stream go back (see ``merge_time.py``).

    Args:
        log: the log; it hands out only bytes that it has led back to its signed root.
        as_recorded: read the facts as they were recorded first, whatever was amended.
        seals: what vouches for derived files beside the log; None believes none.

    Raises:
        EntryWrong: an entry is none that this version knows.
        KeyTwice: two accepted entries have one stream and sequence number.
        IntegrityBroken: bytes are not what was signed.
    """

    def __init__(
        self, log: ReadableLog, *, as_recorded: bool = False, seals: Seals | None = None
    ) -> None:
        self._folder: Path | None = None
        self._seals = seals
        self._pass: IndexPass | None = None
        self._set(log, build(log, as_recorded=as_recorded))

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        as_recorded: bool = False,
        size: int | None = None,
        from_entries: bool = False,
        keeps: bool = True,
    ) -> Replay:
        """Return the replay of the ledger in a folder.

        Args:
            folder: the ledger.
            as_recorded: read the facts as they were recorded first, whatever was amended.
            size: how many of its entries are read; None: all of its present checkpoint.
            from_entries: read all entries, and not the index that is kept of them: for what is
                signed, and for what verifies.
            keeps: whether what is derived may be kept beside the ledger; if not, what was kept is
                believed all the same, and no file of the folder changes.

        Raises:
            PositionUnknown: it has fewer entries.
            EntryWrong, KeyTwice, IntegrityBroken: as for the class.
        """
        log = read_log(folder)
        if from_entries or size not in (None, log.size):
            earlier = log if size is None else EarlierLog(log, size)
            out = cls(earlier, as_recorded=as_recorded, seals=_seals(folder, keeps=keeps))
            out._folder = folder
            return out
        return cls._taking_up(log, folder, as_recorded=as_recorded, goes_on=False, keeps=keeps)

    @staticmethod
    def unread(folder: Path) -> int:
        """Return how many entries ``open`` would read, since no kept index covers them."""
        log = read_log(folder)
        return log.size - KeptIndex(log, folder / CACHE / FOLDER, Seals.of(folder)).size()

    @classmethod
    def _taking_up(
        cls, log: ReadableLog, folder: Path, *, as_recorded: bool, goes_on: bool, keeps: bool = True
    ) -> Replay:
        """The replay of a folder's log, with the index that is kept of it."""
        out = cls.__new__(cls)
        out._folder, out._seals = folder, _seals(folder, keeps=keeps)
        kept = KeptIndex(log, folder / CACHE / FOLDER, out._seals)
        reading = kept.read(as_recorded=as_recorded, goes_on=goes_on)
        out._pass = reading if goes_on else None
        out._set(log, reading.index())
        out._unproven = set(range(-(-reading.kept_size // WIDTH)))
        return out

    @classmethod
    def following(cls, folder: Path) -> Replay:
        """Return a replay as ``open`` does, of which ``grown`` reads only what came since.

        Raises:
            EntryWrong, KeyTwice, IntegrityBroken: as for the class.
        """
        return cls._taking_up(read_log(folder), folder, as_recorded=False, goes_on=True)

    def grown(self, log: ReadableLog | None = None) -> Replay:
        """Return the replay of the ledger as it stands; only what came since this one is read.

        Args:
            log: the folder's log as it was read just now; None reads it.

        Raises:
            TypeError: this replay was not made by ``following``, or it has grown already.
            LogReplaced: the folder holds another ledger now.
            EntryWrong, KeyTwice, IntegrityBroken: as for the class.
        """
        if self._folder is None or self._pass is None:
            raise TypeError("only a replay made by Replay.following grows, and once")
        log = log or read_log(self._folder)
        if log.size < self.size or EarlierLog(log, self.size).root != self.root:
            raise LogReplaced(str(self._folder), self.size)
        self._check_opened(log)
        out = Replay.__new__(Replay)
        out._folder, out._seals = self._folder, self._seals
        out._pass, self._pass = self._pass, None
        out._pass.read_on(log)
        out._set(log, out._pass.index())
        out._unproven = self._unproven
        out._bundles = self._bundles.grown(log, log.size, out._index.digests)
        changed = out.changed_since(self)
        if changed.isdisjoint(out.streams_with(CREDENTIALS)):
            out._roster = self._roster
        out._extents = {
            stream: extent for stream, extent in self._extents.items() if stream not in changed
        }
        return out

    def changed_since(self, earlier: Replay) -> AnySet[str]:
        """Return the streams of which anything is otherwise than in a replay this one grew from.

        Args:
            earlier: the replay; or one that grew from it, before this one.
        """
        before = earlier._index
        if before.offices.keys() != self._index.offices.keys():  # a stream is of an office, or not
            return self._index.streams.keys()
        streams = self._index.streams
        return {name for name, own in streams.items() if own is not before.streams.get(name)}

    def hash_key(self) -> bytes:
        """Return the key of hashes of facts that go into the ledger; empty where it seals nothing.

        Without it a hash would tell whether an erased text was this or that.
        """
        files = files_of(self._log)
        return files.openings.hash_key() if files is not None and files.is_sealed else b""

    def first_difference(self, other: Replay) -> str | None:
        """Return what this replay knows otherwise than another one of the same log, in words.

        Returns:
            None where both know the same: each fact's place, number, times and rivals.
        """
        return first_difference(self._index, other._index)

    def sealed(self, folder: Path, kind: str) -> SealedFolder | None:
        """Return a folder of derived files that are read only where the ledger's key sealed them.

        Args:
            folder: where they lie.
            kind: what they are, one word.

        Returns:
            None where nobody vouches for files beside the log.
        """
        return None if self._seals is None else SealedFolder(folder, kind, self._seals)

    def __getstate__(self) -> tuple[Path, Index]:
        if self._folder is None:
            raise TypeError("only a replay made by Replay.open can be copied to another process")
        return self._folder, self._index

    def __setstate__(self, state: tuple[Path, Index]) -> None:
        self._folder, index = state
        self._pass = None
        self._seals = Seals.of(self._folder)
        log = read_log(self._folder)
        if log.size < index.size or log.tree.root_at(index.size) != index.root:
            raise LogReplaced(str(self._folder), index.size)
        self._set(log, index)
        self._check_opened(log)

    def _check_opened(self, log: ReadableLog) -> None:
        """Refuse to go on where something was erased since: the places of all that follow moved."""
        if opening_state(log) != self._index.opening_state:
            raise ErasedSince(str(self._folder))

    def _set(self, log: ReadableLog, index: Index) -> None:
        self._roster: Roster | None = None
        self._extents: dict[str, StreamExtent] = {}
        self._keys: dict[str, PrefixKeys] = {}
        self._came: tuple[int, list[CameSince]] | None = None
        self._bundle_hashes: PrefixHashes | None = None
        self._unproven: set[int] = set()
        self._kept_facts: KeptFacts | None = None
        self._log = log
        self._index = index
        self._bundles = Bundles(log, index.size, index.digests)

    @property
    def size(self) -> int:
        """How many entries of the log are read; later ones are not seen."""
        return self._index.size

    @property
    def root(self) -> bytes:
        """The log's RFC 6962 tree hash at this size, 32 bytes."""
        return self._index.root

    @property
    def bundle_digests(self) -> bytes:
        """SHA-256 of each full bundle as it was led back to the root, 32 bytes each; or empty."""
        return self._index.digests

    @property
    def facts(self) -> int:
        """How many facts there are in all streams, withdrawn ones too."""
        return sum(one.ends.facts for one in self._index.streams.values())

    @property
    def bundles_fetched(self) -> int:
        """How often a walk had to fetch a bundle from the log."""
        return self._bundles.fetched

    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """Each table with its streams, both in byte order.

        A table is a group of streams that has a fact of play, of its devices or of wagers.
        """
        return MappingProxyType(self._index.tables)

    def offices(self) -> Mapping[str, tuple[str, ...]]:
        """Each office with its streams, both in byte order; an office is no table."""
        return MappingProxyType(self._index.offices)

    def streams(self) -> tuple[str, ...]:
        """All streams, in byte order."""
        return tuple(self._index.streams)

    def is_proven(self, stream: str, before: int) -> bool:
        """Return whether a stream came by the own topic of its terminal.

        Args:
            stream: its name.
            before: a moment in microseconds UTC; what was first proven from then on does not count.

        Raises:
            KeyError: it has no fact.
        """
        at = self._index.streams[stream].proven_at
        return at is not None and at < before

    def extent(self, stream: str) -> StreamExtent:
        """Return how far a stream goes, and how its facts arrived.

        Raises:
            KeyError: it has no fact.
        """
        known = self._extents.get(stream)
        if known is not None:
            return known
        own = self._index.streams[stream]
        facts, first, last, first_time, last_time = own.ends
        table = table_of(stream)
        extent = self._extents[stream] = StreamExtent(
            stream=stream,
            table=table,
            is_office=table in self._index.offices,
            facts=facts,
            first_seq=first,
            last_seq=last,
            missing=last - facts,
            late=own.late,
            conflicts=len(own.conflicts),
            first_time=first_time,
            last_time=last_time,
            sources=own.sources,
        )
        return extent

    def last_times(self, stream: str, facts: int) -> tuple[int, int | None]:
        """Return the merge times of a stream's last fact and of the first of its last few.

        Args:
            stream: of the facts.
            facts: how many the last few are, the last one among them.

        Returns:
            Both in microseconds UTC; the second is None where the stream has fewer facts.

        Raises:
            KeyError: it has no fact.
        """
        own = self._index.streams[stream]
        first = own.ends.facts - facts
        return own.ends.last_time, own.time_of(first) if first >= 0 else None

    def fact(self, stream: str, seq: int) -> Fact | None:
        """Return one fact as it stands after amendments.

        Returns:
            None if there is none of that sequence number, or if it was withdrawn.

        Raises:
            IntegrityBroken: its bytes are not what was signed.
        """
        row = self._row(stream, seq)
        framed = b"" if row is None else self._framed(self._index.streams[stream], row)
        return decode_fact(framed) if framed else None

    def times(self, stream: str, seqs: Sequence[int]) -> list[int | None]:
        """Return the event times of facts of a stream, from the index alone.

        Args:
            stream: of the facts.
            seqs: their sequence numbers, in any order.

        Returns:
            A time in microseconds UTC for each number. Where a number is missing, that of the fact
            before it, else of the one after it; None if the stream has no fact at all.
        """
        if (own := self._index.streams.get(stream)) is None or not seqs:
            return [None] * len(seqs)
        low = max(own.row_at_seq(min(seqs) + 1) - 1, 0)
        rows = own.rows_between(low, own.row_at_seq(max(seqs) + 1) or 1)
        at = np.searchsorted(rows["seq"], np.asarray(seqs, dtype=np.int64), side="right") - 1
        moments: list[int | None] = rows["time"][np.maximum(at, 0)].tolist()
        return moments

    def roster(self) -> Roster:
        """Who holds which credential, as the facts stand after amendments."""
        if self._roster is None:
            steps = self.walk(self.streams_with(CREDENTIALS), only=CREDENTIALS)
            self._roster = roster_of(
                (step.at, step.fact) for step in steps if isinstance(step, FactStep)
            )
        return self._roster

    def arrived_since(
        self, size: int, only: Iterable[str] | None = None
    ) -> Mapping[str, tuple[int, int]]:
        """Return the streams with facts that came, or were amended, from a size of the log on.

        Args:
            size: how many entries the log had before.
            only: names of the events that are wanted, where the streams with others are passed
                over.

        Returns:
            By stream, the first and the last merge time on which these facts bear, microseconds
            UTC. Where facts that were there follow the first one, that of the fact before it: their
            own merge times may be others now. So it is where facts are missing before the first
            one, since doubt begins right after the fact before.
        """
        arrived = {}
        names = None if only is None else frozenset((*only, ""))
        wanted = None if names is None else self._numbers_of(names)
        for stream, own, among, start, came in self._came_since(size):
            fresh, is_amended = came, False
            for seq, before in own.amended.items():
                if before.amendment.position >= size:
                    fresh = fresh | (among["seq"] == seq)
                    is_amended = True
            rows = np.flatnonzero(fresh)
            if len(rows):
                goes_on = not is_amended and len(rows) == len(fresh) - rows[0]
                first = start + int(rows[0])
                seq_before = own.seq_of(first - 1) if first else 0
                goes_on = goes_on and int(among["seq"][rows[0]]) == seq_before + 1
                if goes_on and names is not None and own.events.isdisjoint(names):
                    continue
                if wanted is not None and goes_on:
                    rows = rows[np.isin(among["kind"][rows], wanted)]
                    if not len(rows):
                        continue
                    first = start + int(rows[0])
                first = first if goes_on else max(first - 1, 0)
                first = 0 if own.has_strays else first
                is_torn = not first and own.ends.first_seq > 1
                begins = 0 if is_torn else own.time_of(first)
                arrived[stream] = begins, own.time_of(start + int(rows[-1]))
        return arrived

    def facts_after(self, size: int, only: AnySet[str], after: int) -> tuple[FactStep, ...] | None:
        """Return the facts that came from a size of the log on, for who has followed those before.

        Args:
            size: how many entries the log had before.
            only: names of the events that are wanted.
            after: the merge time of the last of them that was followed, microseconds UTC.

        Returns:
            In merged order; None where one of them is not merged after all that were followed, or
            one of these was changed: whoever followed them begins anew.
        """
        arrived = self.arrived_since(size, only)
        if any(first <= after for first, _ in arrived.values()):
            return None
        steps = self.walk(arrived, since=after + 1, only=only)
        return tuple(step for step in steps if isinstance(step, FactStep))

    def _came_since(self, size: int) -> list[CameSince]:
        """The streams of which something came from a size of the log on; kept for who asks next."""
        if self._came is None or self._came[0] != size:
            came = []
            for stream, own in self._index.streams.items():
                if own.last_position >= size:
                    rows, start = own.rows_since(size)
                    came.append(CameSince(stream, own, rows, start, rows["position"] >= size))
            self._came = size, came
        return self._came[1]

    def _numbers_of(self, events: Iterable[str]) -> list[int]:
        """The numbers of these kinds of facts, and that of kinds which have none."""
        names = frozenset(events)
        heads = [head for head, name in self._index.events.items() if name in names]
        return [*(kind_numbers().get(head, KIND_UNKNOWN) for head in heads), KIND_UNKNOWN]

    def is_of_facts(self, size: int) -> bool:
        """Return whether nothing but facts, and schemas of facts, came from a size of the log on.

        Raises:
            IntegrityBroken: an entry is not what was signed.
        """
        return all(
            entry[0] in (ACCEPTED, SEALED, SCHEMA_USED)
            for _, entries in self._log.bundles(size, self.size)
            for entry in entries
        )

    def kinds_since(self, size: int, stream: str | None = None) -> frozenset[str]:
        """Return the names of the events that came, or were amended, from a size of the log on.

        Args:
            size: how many entries the log had before.
            stream: of this stream alone, amended ones left out; None: of all.
        """
        arrived: set[int] = set()
        for name, _, rows, _, came in self._came_since(size):
            if stream in (None, name):
                arrived.update(rows["kind"][came].tolist())
        numbers = {number: self._index.events.get(head) for head, number in kind_numbers().items()}
        names = {numbers.get(kind) for kind in arrived}
        for amendment in self._index.amendments if stream is None else ():
            fact = amendment.fact
            if amendment.position >= size:
                was = self.amended(fact.amended_stream, fact.amended_seq)
                names.add(None if was is None else type(was.before).__name__)
        return frozenset(name for name in names if name is not None)

    def recorded_at(self, stream: str, seq: int) -> int | None:
        """Return the position of the entry that recorded a fact first, whatever was amended since.

        Returns:
            None if the stream has no fact of that number.
        """
        own, row = self._index.streams.get(stream), self._row(stream, seq)
        if own is None or row is None:
            return None
        unamended = own.amended.get(seq)
        return own.row(row).position if unamended is None else unamended.place.position

    def arrived(self, position: int) -> int:
        """Return the record time of the entry at a position, microseconds UTC."""
        entry = unpack(self._bundles(position // WIDTH))[position % WIDTH]
        return decode(entry).record_time

    def amendments(self) -> tuple[Amendment, ...]:
        """All amendments in the order in which they count, also those that change nothing."""
        return self._index.amendments

    def amended(self, stream: str, seq: int) -> Amended | None:
        """Return a fact that was amended or withdrawn, as it was and as it is.

        Returns:
            None if no amendment that counts is about it.
        """
        own = self._index.streams.get(stream)
        unamended = own.amended.get(seq) if own else None
        if unamended is None:
            return None
        place = unamended.place
        bundle = self._bundles(place.position // WIDTH)
        before = decode_fact(bundle[place.offset : place.offset + place.length])
        return Amended(before, self.fact(stream, seq), unamended.amendment.fact)

    def concerned(self, stream: str, seq: int, new: Fact | None = None) -> dict[str, str]:
        """Return the persons whom a correction or an addition of a fact concerns.

        Law: the Ledger contract, L.9 and L.10: nobody approves what concerns themselves.

        Args:
            stream: of the fact.
            seq: of the fact.
            new: the fact as it is to be, where a correction states that.

        Returns:
            By credential, how it concerns the person, in words that follow a name ("signed what it
            is about").
        """
        amended = self.amended(stream, seq)
        known = self.fact(stream, seq) if amended is None else amended.before
        versions = [known, None if amended is None else amended.after, new]
        return self._index.attendance.concerned(
            [one for one in versions if one is not None],
            None if amended is None else amended.by,
            self._bundles,
        )

    def attending(self, table: str, moments: Iterable[int]) -> Iterator[tuple[str, str]]:
        """Yield who stood at a table at any of these moments (microseconds UTC).

        Returns:
            Credential, and how, in words that follow a name; a person may come more than once.
        """
        return attending(self._index.attendance.stays(table, self._bundles), table, moments)

    def all_amended(self) -> Iterator[Amended]:
        """Every fact that was amended or withdrawn, by stream and seq."""
        for stream, own in self._index.streams.items():
            for seq in sorted(own.amended):
                amended = self.amended(stream, seq)
                if amended is not None:
                    yield amended

    def walk(
        self,
        streams: Iterable[str],
        *,
        since: int | None = None,
        until: int | None = None,
        stated: Mapping[str, int] | None = None,
        only: Iterable[str] | None = None,
    ) -> Iterator[Step]:
        """Walk the facts of these streams in order, with the doubts where they lie.

        Args:
            streams: their names; one without a fact adds nothing.
            since: the first merge time; None: from the beginning.
            until: the first merge time that is not walked any more; None: to the end. A doubt that
                was open before ``since`` begins the walk; one that outlasts ``until`` does not end
                in it.
            stated: by stream, the last sequence number that a control total states. What lies
                beyond the last fact is a gap right after it, which never ends.
            only: names of the events that are wanted; the others are passed over undecoded. Doubts
                are always reported.

        Returns:
            The order is by merge time, then offices before tables, then byte order of the stream,
            then sequence number. Withdrawn facts are left out.

        Raises:
            IntegrityBroken: bytes are not what was signed, or no fact that this version knows.
        """
        known, totals = self._index.streams, stated or {}
        wanted = sorted(set(streams), key=self._rank)
        parts = [
            part_of(known[one], since, until, totals.get(one, 0)) for one in wanted if one in known
        ]
        nameless = {one: totals[one] for one in wanted if one not in known and one in totals}
        heads: frozenset[bytes] | None = None
        if only is not None:
            names = frozenset(only)
            heads = frozenset(head for head, name in self._index.events.items() if name in names)
        return walk(parts, self._bundles, nameless, heads, self._kept_facts)

    @contextmanager
    def keeping_facts(self) -> Iterator[None]:
        """Decode each fact once, however many walks hand it out meanwhile.

        For whoever walks the same day several times: its facts stay in memory meanwhile.
        """
        before, self._kept_facts = self._kept_facts, {}
        try:
            yield
        finally:
            self._kept_facts = before

    def table_facts(
        self, streams: Iterable[str], since: int, until: int, stated: Mapping[str, int]
    ) -> TableFacts | None:
        """Return the facts of these streams that are merged in [since, until) as columns.

        Args:
            streams: their names; one without a fact adds nothing.
            since, until: merge times, microseconds UTC.
            stated: by stream, the last sequence number that a control total states.

        Returns:
            None where a walk would hand out anything but these facts, each at its own time, or
            where there are none.
        """
        wanted = sorted(set(streams), key=self._rank)
        parts = [self._part(one, since, until) for one in wanted]
        return table_facts([one for one in parts if one is not None], stated, self._bundles)

    def streams_with(self, events: Iterable[str]) -> tuple[str, ...]:
        """The streams that have a fact of any of these events, in byte order."""
        wanted = frozenset(events)
        return tuple(name for name, one in self._index.streams.items() if one.events & wanted)

    def of_kind(
        self, stream: str, kind: type[Fact], *, since: int | None = None, until: int | None = None
    ) -> Iterator[FactStep]:
        """Yield the facts of one kind in a stream, in order, without doubts.

        The others are passed over undecoded. ``since`` and ``until`` are merge times, as for
        ``walk``.
        """
        part = self._part(stream, since, until)
        if part is None:
            return
        index = part.stream
        wanted = {schema.id for schema in registry() if schema.name == kind.__name__}
        numbers = kind_numbers()
        kinds = [numbers[head_of(one)] for one in wanted]
        in_part = index.rows_between(part.low, part.high)["kind"]
        for row in (np.flatnonzero(np.isin(in_part, [*kinds, KIND_UNKNOWN])) + part.low).tolist():
            _, _, position, offset, length, *_ = index.row(row)
            framed = self._bundles(position // WIDTH)[offset : offset + length]
            if framed and schema_id_of(framed) in wanted:
                yield FactStep(decode_fact(framed), position, index.time_of(row))

    def gaps(self, stream: str) -> Iterator[Gap]:
        """Yield the missing facts of a stream below the last one known, rising."""
        own = self._index.streams.get(stream)
        return iter(()) if own is None else stream_checks.gaps(own)

    def conflicts(self, stream: str) -> Iterator[Conflict]:
        """Yield the quarantined rivals of a stream's facts, by sequence number, then position."""
        own = self._index.streams.get(stream)
        return conflicts(self._bundles, stream, own.conflicts if own else ())

    def unreadable(self) -> Iterator[Unreadable]:
        """Yield the quarantined bytes that are no fact, by position."""
        return unreadable(self._bundles, self._index.unreadable)

    def out_of_order(
        self,
        stream: str,
        tolerance_micros: int,
        *,
        since: int | None = None,
        until: int | None = None,
    ) -> Iterator[OutOfOrder]:
        """Yield the facts whose event time runs against their sequence number.

        Law: the Ledger contract, L.5.

        Args:
            stream: of the facts.
            tolerance_micros: how far it may do so, in microseconds.
            since: the first merge time; None: from the beginning.
            until: the first merge time that is not looked at any more; None: to the end.
        """
        part = self._part(stream, since, until)
        return stream_checks.out_of_order(part, tolerance_micros) if part else iter(())

    def source_differs(
        self,
        stream: str,
        registrations: Sequence[Registration],
        *,
        since: int | None = None,
        until: int | None = None,
    ) -> Iterator[SourceDiffers]:
        """Yield the runs of facts whose source is not the one registered last before them.

        Law: the Ledger contract, L.6.

        Args:
            stream: of the facts.
            registrations: those of any stream, in any order.
            since: the first merge time; None: from the beginning.
            until: the first merge time that is not looked at any more; None: to the end.
        """
        part = self._part(stream, since, until)
        if part is None:
            return iter(())
        index = part.stream
        return stream_checks.source_differs(
            part, registrations, lambda row: fact_head(self._framed(index, row), 0)[3].decode()
        )

    def odd_keys(self, stream: str) -> Iterator[OddKey]:
        """Yield the facts that came under a key that is not their stream, by sequence number.

        Law: the Ledger contract, L.6.
        """
        own = self._index.streams.get(stream)
        for seq, key in own.odd_keys if own else ():
            position = own.row(own.row_at_seq(seq)).position if own else 0
            yield OddKey(stream=stream, seq=seq, position=position, key=key)

    def last_seq_before(self, stream: str, until: int) -> int:
        """Return the last sequence number merged before a moment (microseconds UTC), 0 if none is.

        At the end of a gaming day it says how far the stream belongs to the days up to it.
        """
        part = self._part(stream, None, until)
        return part.stream.seq_of(part.high - 1) if part and part.high else 0

    def facts_between(self, stream: str, since: int, until: int) -> int:
        """Count the facts of a stream that are merged in [since, until), withdrawn ones too.

        Args:
            stream: the stream; one that is not in the ledger has none.
            since: a merge time, microseconds UTC, inclusive.
            until: a merge time, microseconds UTC, exclusive.
        """
        part = self._part(stream, since, until)
        return part.high - part.low if part is not None else 0

    def recorded(self, streams: Iterable[str], since: int, until: int) -> Iterator[RecordedEntry]:
        """Yield the entries of facts merged in [since, until), as first recorded, by position.

        Args:
            streams: the streams; those that are not in the ledger are passed over.
            since: a merge time, microseconds UTC, inclusive.
            until: a merge time, microseconds UTC, exclusive.
        """
        parts = ((name, self._part(name, since, until)) for name in streams)
        known = [(name, part) for name, part in parts if part is not None]
        return recorded(self._bundles, self._bundles.signed, known)

    def prove(
        self,
        streams: Iterable[str],
        *,
        since: int | None = None,
        until: int | None = None,
        only: Iterable[str] | None = None,
    ) -> None:
        """Prove the entries of facts: each is what was led back to the signed root.

        What a walk reads is proved as it is read. This is for whoever answers from what was derived
        of these facts before, when the index was kept and the entries were not read.

        Args:
            streams: of the facts; those that are not in the ledger are passed over.
            since, until: merge times, as for ``walk``.
            only: names of the events whose facts are meant; None: all.

        Raises:
            IntegrityBroken: the bytes of one are not what was signed.
        """
        if self._unproven or is_noting():
            self.prove_bundles(self.bundles_of(streams, since=since, until=until, only=only))

    def prove_bundles(self, numbers: AnySet[int]) -> None:
        """Prove the entries of bundles, by number, as ``prove`` does those of facts.

        Raises:
            IntegrityBroken: the bytes of one are not what was signed.
        """
        note_bundles(numbers)
        unproven = numbers & self._unproven
        snapshot = snapshot_of(self._log)
        if snapshot is not None and self._folder is not None and self._seals is not None:
            states = bundle_states(snapshot, self._folder / CACHE, self._seals)
            states.prove_all(stretches(unproven), self._index.digests)
        else:
            for number in sorted(unproven):
                self._bundles(number)
        self._unproven -= unproven

    def bundles_of(
        self,
        streams: Iterable[str],
        *,
        since: int | None = None,
        until: int | None = None,
        only: Iterable[str] | None = None,
    ) -> set[int]:
        """Return the numbers of the bundles that hold facts, from the index alone.

        Args:
            streams, since, until, only: as for ``prove``.
        """
        names = None if only is None else frozenset(only)
        heads = [
            head for head, name in self._index.events.items() if names is None or name in names
        ]
        kinds = [kind_numbers().get(head, KIND_UNKNOWN) for head in heads]
        numbers: set[int] = set()
        for stream in streams:
            part = self._part(stream, since, until)
            if part is not None:
                rows = part.stream.rows_between(part.low, part.high)
                places = np.concatenate([rows["position"], places_of(part)])
                if names is not None:
                    places = places[np.tile(np.isin(rows["kind"], kinds), 2)]
                numbers.update(np.flatnonzero(np.bincount(places // WIDTH)).tolist())
        return numbers

    def prefix_hash(self, stream: str, until_seq: int) -> bytes:
        """Return a SHA-256 (32 bytes) over all that a walk can show of a stream up to a number.

        It is the key of what was derived from these facts: an equal hash means that deriving it
        again gives the same. The same facts in another ledger have the same hash.
        """
        own = self._index.streams.get(stream)
        return prefix_hash(own, until_seq, self._bundles, self._index.opening_state)

    def prefix_key(self, stream: str, until_seq: int) -> bytes:
        """Return a key (32 bytes) of the facts of a stream up to a number, in this ledger.

        An equal key means that deriving something from these facts again gives the same. It costs
        far less than ``prefix_hash``; the same facts in another ledger may have another key.
        """
        own = self._index.streams.get(stream)
        if own is None or len(self._index.digests) < self.size // WIDTH * DIGEST:
            return self.prefix_hash(stream, until_seq)
        keys = self._keys.get(stream)
        if keys is None:
            if self._bundle_hashes is None:
                self._bundle_hashes = PrefixHashes(self._index.digests)
            keys = self._keys[stream] = PrefixKeys(
                own, self._bundle_hashes, self._bundles, self._index.opening_state
            )
        return keys.key(until_seq)

    def root_at(self, size: int) -> bytes | None:
        """Return the root that the log had at a size, 32 bytes; None beyond this replay's size."""
        return EarlierLog(self._log, size).root if 0 < size <= self.size else None

    def places(
        self, stream: str, after_seq: int, until_seq: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sequence numbers of a stream in (after_seq, until_seq], and their entries.

        Returns:
            The numbers, rising, and for each the position of the entry that counts: the
            amendment's own where the fact was amended or withdrawn. Both are empty for a stream
            without a fact.
        """
        if (own := self._index.streams.get(stream)) is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        rows = own.rows_between(own.row_at_seq(after_seq + 1), own.row_at_seq(until_seq + 1))
        seqs, positions = rows["seq"].astype(np.int64), rows["position"].astype(np.int64)
        for seq, unamended in own.amended.items():
            positions[seqs == seq] = unamended.amendment.position
        return seqs, positions

    def amended_in(self, stream: str) -> tuple[int, ...]:
        """Return the numbers of a stream's facts that were amended or withdrawn, rising."""
        own = self._index.streams.get(stream)
        return tuple(sorted(own.amended)) if own else ()

    def leaf_hashes(self, positions: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the RFC 6962 leaf hash of each of these entries, a row of 32 bytes each."""
        return leaf_hashes(self._bundles.signed, positions)

    def times_around(self, stream: str, moment: int) -> tuple[int | None, int | None]:
        """Return the merge times of a stream's facts next to a moment, microseconds UTC.

        Returns:
            That of the last fact before the moment and that of the first one at or after it; None
            where there is none.
        """
        return times_around(self._index.streams.get(stream), moment)

    def merged_at(self, stream: str, seq: int) -> int | None:
        """Return the merge time of the last fact up to a sequence number; None if there is none."""
        own = self._index.streams.get(stream)
        at = own.row_at_seq(seq + 1) if own else 0
        return own.time_of(at - 1) if own and at else None

    def happened_at(self, ref: FactRef) -> int | None:
        """Return the event time of a fact, microseconds UTC; None where the record lacks it."""
        own, row = self._index.streams.get(ref.stream), self._row(ref.stream, ref.seq)
        return None if own is None or row is None else own.row(row).time

    def _row(self, stream: str, seq: int) -> int | None:
        """The row of a fact in its stream."""
        own = self._index.streams.get(stream)
        at = own.row_at_seq(seq) if own else 0
        there = own is not None and at < own.ends.facts and own.seq_of(at) == seq
        return at if there else None

    def _rank(self, stream: str) -> tuple[bool, bytes]:
        return table_of(stream) in self._index.tables, stream.encode()

    def _part(self, stream: str, since: int | None, until: int | None) -> StreamPart | None:
        own = self._index.streams.get(stream)
        return None if own is None else part_of(own, since, until, 0)

    def _framed(self, index: StreamIndex, row: int) -> bytes:
        """The framed event of a row."""
        _, _, position, offset, length, *_ = index.row(row)
        return self._bundles(position // WIDTH)[offset : offset + length]


def _seals(folder: Path, *, keeps: bool) -> Seals:
    """The seals of a ledger; those that sign nothing where nothing may be kept."""
    seals = Seals.of(folder)
    return seals if keeps else Seals(seals.verifier, None, seals.earlier)
