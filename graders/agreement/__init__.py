"""How far a grader agrees with people or with another grader, and what its mean is worth: read from the store."""
