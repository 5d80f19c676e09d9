"""Parts of the owner's page of a round."""
