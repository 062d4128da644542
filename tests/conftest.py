"""What every test shares: real services as fixtures, and the house's two rules about test runs.

A skipped test is a failure in CI; tests that share a server run on one worker, module by module.
"""

import os

import hypothesis
import pytest

pytest_plugins = ["pytester", "tests.support.chromium", "tests.support.no_skips", "tests.support.postgres"]

# Their modules start a server or make a database once, so xdist must not split them over its workers.
SHARED_BY_MODULE = {"chromium", "postgres_url"}

# No deadline: a busy machine is no defect. In CI the same examples every time.
hypothesis.settings.register_profile("here", deadline=None, print_blob=True)
hypothesis.settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        shared = SHARED_BY_MODULE.intersection(getattr(item, "fixturenames", ()))
        if shared and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
