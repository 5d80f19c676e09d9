"""Pure functions on arrays: intervals, agreement, ranking. Nothing here reads or writes."""
