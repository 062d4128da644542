"""What each page and fragment is told: one frozen context per template, in the operator's words, figures
already written.

A context says everything its template shows and nothing more; the template computes nothing. `examples` in
the tests render each of them in each state, so a field that a template needs and a view forgets cannot go
unnoticed.
"""
