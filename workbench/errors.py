"""Errors that reach a user. Each says what was found, what was expected and what to do."""


class WorkbenchError(Exception):
    """Base of all errors that are the input's fault: the CLI prints the sentence and exits with 2."""


class BadInputError(WorkbenchError):
    """A file, record, option or specification cannot be taken as it is."""


class NotFoundError(WorkbenchError):
    """Nothing in the store has this id or name."""


class MissingExtraError(WorkbenchError):
    """A part of the workbench needs a package that is not installed; the message names the remedy."""


class LayoutError(WorkbenchError):
    """Packages of two checkouts are mixed in one process."""


class StoreError(WorkbenchError):
    """The store cannot be opened, is of another version, or refused a write."""
