"""Parts of the Overview: what each run comes to, and score against effort."""
