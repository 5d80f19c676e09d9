"""Jobs that train a policy on an exported reward."""
