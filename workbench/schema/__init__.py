"""Frozen records that cross modules. Standard library only: a training worker imports them too."""
