"""Finding moments in episodes: which texts an episode offers, what is asked for, what of a text is shown."""
