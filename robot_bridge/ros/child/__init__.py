"""The ROS side, a process of its own: standard library and ROS alone, Python 3.8 grammar."""
