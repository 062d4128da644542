"""Disarms each safety rule of docs/safety.md in turn, and demands that the test named beside it fails."""
