"""What goes wrong on the way into another tool's file.

BagError
└── BagRefused      the file cannot be written, or there is nothing to write
"""


class BagError(Exception):
    """The text says what went wrong and the remedy."""


class BagRefused(BagError):
    """Nothing was written."""
