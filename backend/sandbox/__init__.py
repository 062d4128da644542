"""What would have been: the planner asked again, and simulated worlds run on, where nothing can be commanded.

It is given a Planner and a SimulatedWorld, neither of which has an address. An import contract keeps Bridge,
Inbox and Journal out of reach.
"""
