"""Speeds and ratios, measured in one run: ``make bench``. Never a timed assertion."""
