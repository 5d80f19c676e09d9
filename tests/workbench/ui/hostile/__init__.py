"""Hostile content in the app: a corpus of our own, a store that holds it wherever text enters, and a real browser."""
