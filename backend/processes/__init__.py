"""The processes of a running Quarterdeck: web, runners and bridges, and what starts and watches them."""
