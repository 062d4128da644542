"""What is stored and how large it is, what rules would let go, and the letting go."""
