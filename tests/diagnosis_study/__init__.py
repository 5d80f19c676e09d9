"""Is the fixed-evidence diagnosis right where the deficit is known? Runs with planted deficits, sealed beforehand."""
