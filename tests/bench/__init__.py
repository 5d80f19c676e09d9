"""Speed, as ratios to a floor or a named peer measured in the same run: `make bench`. Never asserted in tests."""
