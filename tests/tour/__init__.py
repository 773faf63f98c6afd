"""The tour: six things to see for oneself, each held against what it must show."""
