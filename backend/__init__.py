"""Quarterdeck: supervise robots whose long missions a language model plans."""
