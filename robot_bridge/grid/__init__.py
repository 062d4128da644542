"""A grid of containers, a ground robot, a drone that reports late and partly wrongly (ADM-Planner, V-A)."""
