"""Pictures of the rating page for the documentation."""
