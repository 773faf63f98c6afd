"""The demonstration: nights of a simulated floor held against what was planted in it."""
