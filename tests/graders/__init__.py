"""Tests of graders: only a model's reply is faked, the wire and the store are real."""
