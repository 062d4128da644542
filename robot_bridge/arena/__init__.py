"""The rigid-body arena: contact, gravity and collision under the same memory, planner and runner."""

from robot_bridge.simulation import choose_renderer

choose_renderer()
