"""A table with an arm and two cameras, and tasks on it that need memory."""

from robot_bridge.simulation import choose_renderer

choose_renderer()
