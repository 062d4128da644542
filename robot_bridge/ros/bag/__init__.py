"""Recordings of ROS robots: read, played as a robot that is only watched, written from its topics."""
