"""Memories measured: paired episodes by the thousand, through the very loop that missions run on."""
