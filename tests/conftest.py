"""What every test shares: real services as fixtures, no silent skip in CI, and examples that repeat."""

import os

import hypothesis

pytest_plugins = [
    "pytester",
    "tests.support.chromium",
    "tests.support.databases",
    "tests.support.longest_first",
    "tests.support.no_skips",
    "tests.support.postgres",
    "tests.support.ros",
]

# No deadline: a busy machine is no defect. In CI the same examples every time.
hypothesis.settings.register_profile("here", deadline=None, print_blob=True)
hypothesis.settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")
