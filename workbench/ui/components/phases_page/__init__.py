"""Parts of the Phases page: how far runs search, where reports go wrong, in which ways they fail."""
