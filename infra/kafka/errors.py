"""Which way can the broker refuse? One stable code for each."""

from typing import Final

HINTS: Final = {
    "kafka_java_missing": "install a Java 17, 21 or 25, or run `make setup`, which brings one",
    "kafka_jars_unreachable": "check the way to the Maven repository, then try again",
    "kafka_jar_mismatch": "the file fetched is not the one that was locked: do not run it",
    "kafka_port_taken": "stop what listens there, or give other ports with --port",
    "kafka_format_failed": "see the lines above; an unfinished data folder may be in the way",
    "kafka_died": "see the lines above, and the whole of the log file",
    "kafka_silent": "the machine may be overloaded; see the log file, then `make kafka-down`",
    "kafka_will_not_stop": "end the process by its id, then run `make kafka-up` again",
    "kafka_access_refused": "act as a super user, on a broker with an authorizer (README.md)",
    "kafka_topic_differs": "a topic is never altered silently: change it by hand, or the file",
}


class BrokerError(Exception):
    """The broker cannot do what was asked.

    Args:
        code: one of HINTS; scripts may rely on it.
        problem: what happened, and where.
    """

    def __init__(self, code: str, problem: str) -> None:
        self.code = code
        self.problem = problem
        super().__init__(f"{problem}\n  next: {HINTS[code]} [{code}]")
