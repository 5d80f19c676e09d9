"""Whether a rubric may be asked in one call or must be asked criterion by criterion: measured, not assumed."""
