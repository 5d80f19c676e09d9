"""What runs inside an exported job folder. Standard library only, frozen into it under another package name."""
