"""The study of levels of prose: how far words alone settle a citation, from plain pages to distracting ones."""
