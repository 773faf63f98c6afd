"""The printed law: rows, odds, exhibit, guide, readings, coverage, and later texts."""
