"""The nightly audit: steps that close a gaming day."""
