"""A simulated rover and drone that are a real ROS system: a master, and nodes written with rospy alone.

They play the tape of the grid's reveal-5. `simulation.py` starts them; every other file here runs on ROS's
interpreter, with the standard library alone beside rospy.
"""
