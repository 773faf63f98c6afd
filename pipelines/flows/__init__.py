"""One flow per file."""
