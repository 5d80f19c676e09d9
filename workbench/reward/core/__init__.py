"""What a reward means. Standard library only and free of side effects: this is what a training worker runs."""
