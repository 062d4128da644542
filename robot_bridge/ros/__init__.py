"""A bridge to a ROS 1 robot: this side keeps the contract, a child process speaks rospy."""
