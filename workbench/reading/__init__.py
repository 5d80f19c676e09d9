"""What people read by: several attempts side by side, where their reports differ, and the ways in which many fail."""
