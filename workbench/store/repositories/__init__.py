"""One repository a subject. Each public method is one transaction."""
