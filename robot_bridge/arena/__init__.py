"""The rigid-body arena: contact, gravity and collision under the same memory, planner and runner."""
