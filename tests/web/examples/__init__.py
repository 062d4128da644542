"""One example of every context in every state it can take, in the operator's words.

They are rendered by the tests of the templates, photographed for the docs, and served to the browser tests.
"""

from backend.web.pages.view import View
from tests.web.examples import (
    access,
    cards,
    compare,
    editing,
    episodes,
    evaluation,
    evidence,
    forms,
    frame,
    hindsight,
    memory,
    page,
    policies,
    queue,
    searches,
    shelves,
    storage,
    tables,
    whatif,
    written,
)

EXAMPLES: dict[str, View] = {
    **access.EXAMPLES,
    **frame.EXAMPLES,
    **cards.EXAMPLES,
    **compare.EXAMPLES,
    **editing.EXAMPLES,
    **policies.EXAMPLES,
    **evidence.EXAMPLES,
    **memory.EXAMPLES,
    **hindsight.EXAMPLES,
    **written.EXAMPLES,
    **searches.EXAMPLES,
    **storage.EXAMPLES,
    **tables.EXAMPLES,
    **page.EXAMPLES,
    **episodes.EXAMPLES,
    **evaluation.EXAMPLES,
    **forms.EXAMPLES,
    **queue.QUEUES,
    **shelves.EXAMPLES,
    **whatif.EXAMPLES,
}
