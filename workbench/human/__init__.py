"""What people prefer: rounds of blind pairs, the rater's page, ballots, ratings and agreement."""
