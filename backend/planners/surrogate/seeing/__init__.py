"""What the surrogate sees in a picture: exactly, since every colour of its world is drawn flat."""
