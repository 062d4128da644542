"""The rule against skipping, tried on small suites of its own."""

import pytest

SUITES = {
    "a test that skips itself": "import pytest\ndef test_it():\n    pytest.skip('no robot here')\n",
    "a test marked to skip": "import pytest\n@pytest.mark.skip('no robot here')\ndef test_it():\n    pass\n",
    "a module that skips itself": "import pytest\npytest.skip('no robot here', allow_module_level=True)\n",
    "a fixture that skips": (
        "import pytest\n@pytest.fixture\ndef robot():\n    pytest.skip('no robot here')\n"
        "def test_it(robot):\n    pass\n"
    ),
}


@pytest.fixture(params=SUITES.values(), ids=SUITES.keys())
def suite(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(request.param)
    return pytester


def run(suite: pytest.Pytester) -> pytest.RunResult:
    return suite.runpytest_inprocess("-p", "tests.support.no_skips", "-p", "no:cacheprovider")


def test_a_skip_fails_in_ci(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")

    result = run(suite)

    assert result.ret != 0
    result.stdout.fnmatch_lines(["*in CI a skipped test is a failure*no robot here*"])


def test_a_skip_is_a_skip_elsewhere(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)

    run(suite).assert_outcomes(skipped=1)


def test_an_expected_failure_is_none(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    pytester.makepyfile("import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert False\n")

    run(pytester).assert_outcomes(xfailed=1)
