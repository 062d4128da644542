"""The adapter for people and programs that come over HTTP: pages, fragments, the live socket."""
