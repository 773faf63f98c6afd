"""`pitledger witness`: remember on another machine what a ledger has signed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from ledger.cli.errors import CommandWrong
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, say

Folder = Annotated[Path, Parameter(name="DIR", allow_leading_hyphen=True)]
FileOption = Annotated[Path | None, Parameter(show_default=False)]
COMMAND: Final = "pitledger witness serve"
DEFAULT: Final = "127.0.0.1:8940"
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


def init(folder: Folder, /, *, name: str, options: Options = OPTIONS) -> int:
    """Begin a witness: a folder with a private key of its own.

    Args:
        folder: where; on a machine that whoever writes the ledger cannot write to.
        name: of the witness, such as witness.example/north; it stands in each cosignature.
    """
    from ledger.log import begin_witness

    public = str(begin_witness(folder, name).public)
    if options.is_json:
        emit_json({"witness": str(folder), "key": public})
    else:
        emit(
            f"Witness {name} begun in {folder}\n"
            f"  public key  {public}\n"
            f"  next        pitledger witness trust {folder} LEDGER-KEY\n"
        )
    return 0


def trust(folder: Folder, key: str, /, *, options: Options = OPTIONS) -> int:
    """Let a witness watch a ledger; again with its new key after a rotation.

    Args:
        folder: of the witness.
        key: the ledger's public key, as text or in a file, such as keys/verifier.
    """
    from ledger.log import WitnessFolder, read_public_key

    witness, public = WitnessFolder(folder), read_public_key(key)
    witness.trust(public)
    if options.is_json:
        emit_json({"origin": public.name, "key": str(public)})
    else:
        emit(f"Watches {public.name}\n  under  {public}\n")
    return 0


def show(folder: Folder, /, *, options: Options = OPTIONS) -> int:
    """Show what a witness has seen: its key, and of each ledger how many entries, and when.

    Args:
        folder: of the witness.
    """
    from ledger.log import WitnessFolder
    from ledger.reports import witness_data, witness_text

    witness = WitnessFolder(folder)
    logs = tuple(witness.logs())
    if options.is_json:
        emit_json(witness_data(witness.public, logs))
    else:
        emit(witness_text(witness.public, logs))
    return 0


def serve(
    folder: Folder,
    /,
    *,
    bind: str = DEFAULT,
    tls_certificate: FileOption = None,
    tls_key: FileOption = None,
    plain: Annotated[bool, Parameter(negative="")] = False,
    options: Options = OPTIONS,
) -> int:
    """Answer ledgers over HTTP until stopped: c2sp.org/tlog-witness, add-checkpoint.

    A checkpoint is cosigned only if it continues the one that was cosigned last, and is on disk
    before the answer leaves.

    Args:
        folder: of the witness.
        bind: address and port to listen at.
        tls_certificate: of this server, PEM.
        tls_key: the certificate's private key, PEM.
        plain: serve beyond this machine without TLS, as behind a proxy that has it.
    """
    from ledger.log import WitnessFolder
    from ledger.log.witness_server import serve as run

    host, _, port = bind.rpartition(":")
    host = host.strip("[]")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > 65_535:
        raise CommandWrong(f"{bind!r} is no address and port, such as {DEFAULT}.", COMMAND)
    if (tls_certificate is None) != (tls_key is None):
        raise CommandWrong("--tls-certificate and --tls-key belong together.", COMMAND)
    if host not in LOOPBACK and tls_certificate is None and not plain:
        raise CommandWrong(
            f"{host} is reached from other machines, and nothing encrypts the way: name"
            " --tls-certificate and --tls-key, or --plain behind a proxy that has TLS.",
            COMMAND,
        )
    witness = WitnessFolder(folder)
    if options.is_json:
        emit_json({"key": witness.public, "bind": bind})
    say(f"Witness {witness.public} listens at {bind}; Ctrl+C stops it.")
    run(witness, host=host, port=int(port), certificate=tls_certificate, private_key=tls_key)
    return 0
