"""Worked examples in a neutral vocabulary: translated into facts, audited, and told as results."""
