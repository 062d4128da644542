"""One example of every context in every state it can take, in the operator's words.

They are rendered by the tests of the templates, photographed for the docs, and served to the browser tests.
"""

from backend.web.pages.view import View
from tests.web.examples import cards, editing, episodes, evaluation, evidence, forms, frame, page, policies, queue

EXAMPLES: dict[str, View] = {
    **frame.EXAMPLES,
    **cards.EXAMPLES,
    **editing.EXAMPLES,
    **policies.EXAMPLES,
    **evidence.EXAMPLES,
    **page.EXAMPLES,
    **episodes.EXAMPLES,
    **evaluation.EXAMPLES,
    **forms.EXAMPLES,
    **queue.QUEUES,
}
