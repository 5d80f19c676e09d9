"""The trajectory viewer: timeline, outline, report with its citations, and the passage or step behind them."""
