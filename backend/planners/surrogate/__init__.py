"""The surrogate: a planner that computes, for measuring memories without a model. It is never one."""
