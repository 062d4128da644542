"""What happens in an episode, followed once in this process and handed to every tab
(docs/reference/live.md)."""
