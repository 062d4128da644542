"""What-ifs put together: the sandbox with planners, simulated worlds and the database. The sandbox itself
knows none of them."""
