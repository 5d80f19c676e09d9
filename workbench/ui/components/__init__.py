"""Parts that several pages show in one way."""
