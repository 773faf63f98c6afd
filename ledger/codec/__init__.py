"""Avro bytes and JSON, to facts and back; the only folder that knows how a fact is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.codec.compatibility import Problem, check_schemas
    from ledger.codec.errors import (
        Fault,
        NotAFact,
        PublishedSchemaChanged,
        Reason,
        SchemaUnknown,
        SchemaUnusable,
        Undecodable,
    )
    from ledger.codec.event_faults import faults_of
    from ledger.codec.json_form import from_plain, from_text, parse_object, to_plain, to_text
    from ledger.codec.limits import FRAME_BYTES, JSON_BYTES
    from ledger.codec.personal import (
        PersonalKind,
        PersonalString,
        holds_event,
        personal_strings,
        sealed_strings,
        with_strings,
        without_size,
    )
    from ledger.codec.registry import Registry, Schema, registry, sample_of, schemas_folder
    from ledger.codec.value_conversion import format_time, parse_time
    from ledger.codec.wire import (
        RUN_TIMES,
        Key,
        decode,
        frame,
        header_and_body,
        key_of,
        pieces,
        plain_of,
        same_record,
        schema_id_of,
        schema_of,
        source_of,
        stamped,
        stamped_run,
        validate,
    )
else:
    load_on_first_use(__name__)

__all__ = [
    "FRAME_BYTES",
    "JSON_BYTES",
    "RUN_TIMES",
    "Fault",
    "Key",
    "NotAFact",
    "PersonalKind",
    "PersonalString",
    "Problem",
    "PublishedSchemaChanged",
    "Reason",
    "Registry",
    "Schema",
    "SchemaUnknown",
    "SchemaUnusable",
    "Undecodable",
    "check_schemas",
    "decode",
    "faults_of",
    "format_time",
    "frame",
    "from_plain",
    "from_text",
    "header_and_body",
    "holds_event",
    "key_of",
    "parse_object",
    "parse_time",
    "personal_strings",
    "pieces",
    "plain_of",
    "registry",
    "same_record",
    "sample_of",
    "schema_id_of",
    "schema_of",
    "schemas_folder",
    "sealed_strings",
    "source_of",
    "stamped",
    "stamped_run",
    "to_plain",
    "to_text",
    "validate",
    "with_strings",
    "without_size",
]
