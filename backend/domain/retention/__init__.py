"""Which episodes a rule would let go, each with the reason; and when a disk is too full."""
