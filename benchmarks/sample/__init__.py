"""The parts of the sample store: rollouts of scripted agents, what is computed of them, simulated ballots."""
