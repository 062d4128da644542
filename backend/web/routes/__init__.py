"""The console's addresses, a file per resource. A route reads its request, asks, and answers; it decides
nothing."""
