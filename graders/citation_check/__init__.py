"""Does the text that a trajectory retrieved support what its report says: by words, by embeddings, by a model."""
