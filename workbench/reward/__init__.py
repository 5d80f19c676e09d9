"""The reward: its definition (`core`, standard library only), what-if over the store, signal, targets."""
