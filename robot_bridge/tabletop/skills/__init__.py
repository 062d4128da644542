"""The arm's skills, one a module; each ends with what was measured, not with what was asked."""
