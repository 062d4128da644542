"""Everything that goes wrong in here, in the operator's words.

PersistenceError
├── DatabaseUrlWrong        the setting names no database that we can use
├── DatabaseNewer           written by a newer Quarterdeck
├── StorageFailure          also a JournalError: nothing was written, nothing may move
│   ├── DatabaseOutdated    not yet brought to this version's tables
│   ├── DatabaseUnreachable
│   ├── DatabaseLocked
│   ├── DatabaseDamaged
│   ├── StorageFull
│   ├── DatabaseRefused     anything else the database said no to
│   └── EventUnwritable     a value that would not be read back as it is
├── EventUnreadable         a kind or version that this Quarterdeck does not know
├── UnknownEpisode
├── LeaseTaken              another runner holds the episode or a robot
├── FrameMissing
├── FrameDamaged
├── AccountRefused
├── EditConflict            someone else wrote since the page was shown
├── RedactionRefused
├── BundleRefused           a file that is no whole bundle, or an episode that makes none
└── EpisodeKept             another episode of that id is here
"""

from __future__ import annotations

from backend.usecases.ports import JournalError


class PersistenceError(Exception):
    """What went wrong; `field` is the setting or value to look at, `remedy` what to do."""

    def __init__(self, message: str, *, field: str = "", remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.field = field
        self.remedy = remedy


class DatabaseUrlWrong(PersistenceError):
    """The database URL is malformed or names a kind of database that is not supported."""


class DatabaseNewer(PersistenceError):
    """The database was written by a newer version, whose tables this one does not understand."""


class StorageFailure(PersistenceError, JournalError):
    """The database did not take what was to be written; the transaction was rolled back as a whole."""


class DatabaseOutdated(StorageFailure):
    """The database lacks tables or columns of this version."""


class DatabaseUnreachable(StorageFailure):
    """No connection could be made, or it broke."""


class DatabaseLocked(StorageFailure):
    """Someone else held the database for longer than we wait."""


class DatabaseDamaged(StorageFailure):
    """The file is no database, or its pages contradict each other."""


class StorageFull(StorageFailure):
    """The disk, or the quota, has no room left."""


class DatabaseRefused(StorageFailure):
    """The database refused a statement for a reason of its own."""


class EventUnwritable(StorageFailure):
    """An event holds a value that JSON cannot keep, such as a number that is not finite."""


class EventUnreadable(PersistenceError):
    """A stored event's kind or version is not known to this Quarterdeck, or its bytes are damaged."""


class UnknownEpisode(PersistenceError):
    """No episode of this id was ever ordered."""


class LeaseTaken(PersistenceError):
    """Another runner's lease on the episode, or another episode's on a robot, has not run out."""


class FrameMissing(PersistenceError):
    """A frame that a row refers to is not in the store."""


class FrameDamaged(PersistenceError):
    """A stored frame's bytes do not have the hash that names them."""


class AccountRefused(PersistenceError):
    """An account, role or token is not what it would have to be."""


class EditConflict(PersistenceError):
    """A document was changed by someone else since the edit began."""


class RedactionRefused(PersistenceError):
    """There is nothing to redact there, or not now."""


class BundleRefused(PersistenceError):
    """A bundle is damaged, foreign or from a newer version, or cannot be made; nothing was written."""


class EpisodeKept(PersistenceError):
    """An episode of the same id and other content is here already; nothing was written."""
