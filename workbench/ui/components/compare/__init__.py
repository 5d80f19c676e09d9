"""Parts of the Compare page: attempts at one question side by side."""
