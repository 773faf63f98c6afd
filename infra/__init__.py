"""What Pitledger runs on: the broker, the locks, the runbooks and the decisions."""
