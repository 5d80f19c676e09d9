"""Reading a report as text: which facts of the graph it asserts, denies or reports others as saying."""
