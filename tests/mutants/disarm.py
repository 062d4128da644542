"""Switches a guard off: its body becomes `return None`, which by convention means "nothing to refuse"."""

import ast

from tests.mutants.rules import MutantsError

Function = ast.FunctionDef | ast.AsyncFunctionDef


def disarm(source: str, guard: str) -> str:
    """The source with the body of `guard` (`function` or `Class.method`) replaced, all else unchanged."""
    function = find_guard(source, guard)
    first, last = function.body[0], function.body[-1]
    lines = source.encode().splitlines(keepends=True)
    before = b"".join(lines[: first.lineno - 1]) + lines[first.lineno - 1][: first.col_offset]
    assert last.end_lineno is not None
    after = lines[last.end_lineno - 1][last.end_col_offset :] + b"".join(lines[last.end_lineno :])
    return (before + b"return None" + after).decode()


def find_guard(source: str, guard: str) -> Function:
    """The guard's definition. Raises `MutantsError` unless one function is named so and may return None."""
    found = [node for name, node in _functions(ast.parse(source)) if name == guard]
    if len(found) != 1:
        raise MutantsError(f"{len(found)} functions are named {guard}, not one")
    function = found[0]
    answer = ast.unparse(function.returns) if function.returns else ""
    if not any(part.strip() == "None" for part in answer.split("|")) or answer == "None":
        raise MutantsError(
            f"{guard} returns {answer or 'something unsaid'}: a guard returns its refusal, or None"
        )
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        raise MutantsError(f"{guard} yields: a guard returns its refusal, or None")
    return function


def _functions(tree: ast.Module) -> list[tuple[str, Function]]:
    found: list[tuple[str, Function]] = []
    for node in tree.body:
        if isinstance(node, Function):
            found.append((node.name, node))
        elif isinstance(node, ast.ClassDef):
            found += [
                (f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, Function)
            ]
    return found
