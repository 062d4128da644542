"""What a robot, or a simulated one, runs: the bridge contract and a folder for each world."""
