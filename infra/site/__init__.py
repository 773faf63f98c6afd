"""The documentation site: pages of the repository and of the printed law, gathered and checked."""
