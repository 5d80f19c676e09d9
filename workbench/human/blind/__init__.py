"""What makes a report blind: one form for all systems, names masked, links without their hosts, nothing active."""
