"""Page contexts made of a state and the journal's entries up to its cursor. Pure: no file, no clock, no
request.

A builder reads `State(cursor)` and entries with seq <= cursor, never a table that changes, so that a
replayed moment says what the live page said. What only the present knows (ages, who asks, the clock) comes
as `Now`.
"""
