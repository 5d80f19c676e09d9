"""How often the intervals of judge-corrected means hold, design by design."""
