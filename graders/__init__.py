"""LLM and deterministic graders behind one protocol."""
