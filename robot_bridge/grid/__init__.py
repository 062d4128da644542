"""A grid world of containers, a ground robot and a drone that reports late and partly wrongly (ADM-Planner,
V-A).
"""
