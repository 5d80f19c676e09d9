"""Research that a provider does by itself within one request: its searches, pages and citations in its own words."""
