"""The command line's commands, one subject a module. `backend.cli` puts them together."""
