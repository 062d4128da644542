"""What stands before every route: headers, origin, session. A route cannot forget it, since it is never
asked."""
