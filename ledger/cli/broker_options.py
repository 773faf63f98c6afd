"""How a command is told which broker it speaks to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from ledger.log.kafka import KafkaSettings

BootstrapOption = Annotated[str | None, Parameter(name="--bootstrap", show_default=False)]
PrefixOption = Annotated[str | None, Parameter(name="--topic-prefix", show_default=False)]
RegistryOption = Annotated[str | None, Parameter(name="--registry", show_default=False)]


def broker_settings(
    bootstrap: str | None, topic_prefix: str | None, registry: str | None
) -> KafkaSettings:
    """What the environment says of the broker; an option goes first.

    Args:
        bootstrap: HOST:PORT of the broker; None: as the environment says.
        topic_prefix: what the topics' names begin with; None: as the environment says.
        registry: the schema registry by URL; None: as the environment says.
    """
    import os

    from ledger.log.kafka import settings_from

    return settings_from(
        os.environ, bootstrap=bootstrap, topic_prefix=topic_prefix, registry_url=registry
    )
