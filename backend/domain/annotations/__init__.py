"""What people write beside an episode: on a moment, a record or a span, never into its journal."""
