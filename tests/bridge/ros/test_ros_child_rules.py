"""The ROS side runs on a robot's own Python: its grammar, and what it may import, as failing tests."""

import ast
import sys
from pathlib import Path

import pytest

from tests.support.checkout import ROOT, python_files, relative
from tests.test_architecture import imported_packages

ROS = {
    "actionlib_msgs", "genpy", "geometry_msgs", "nav_msgs", "roslib", "rospy", "rosgraph_msgs", "rosmaster",
    "sensor_msgs", "std_msgs", "tf2_msgs",
}  # fmt: skip
CHILD = [*python_files("robot_bridge/ros/child"), ROOT / "robot_bridge" / "contract.py"]
NODES = [path for path in python_files("robot_bridge/ros/sim") if path.name != "simulation.py"]
OURS = [path for name in ("backend", "robot_bridge") for path in python_files(name)]


@pytest.mark.parametrize("path", CHILD, ids=relative)
def test_the_child_parses_as_python_3_8_and_needs_nothing_but_ros(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 8))

    docstring_alone = len(tree.body) <= 1 or path.name == "launch.py"
    futures = {a.name for node in tree.body if isinstance(node, ast.ImportFrom) for a in node.names}
    assert docstring_alone or "annotations" in futures
    assert imported_packages(path) - set(sys.stdlib_module_names) - ROS - {"robot_bridge"} == set()


@pytest.mark.parametrize("path", CHILD, ids=relative)
def test_the_child_uses_no_type_that_only_a_newer_python_can_evaluate(path: Path) -> None:
    """`list[int]` and `int | None` outside an annotation are evaluated, and 3.8 cannot."""
    tree = ast.parse(path.read_text("utf-8"))
    guarded = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    annotations = {
        id(inner)
        for node in ast.walk(tree)
        for field in ("annotation", "returns")
        if getattr(node, field, None) is not None
        for inner in ast.walk(getattr(node, field))
    }
    generic = {"dict", "list", "set", "tuple", "type"}
    found = {
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id in generic
        and id(node) not in annotations | guarded
    }

    assert found == set()


@pytest.mark.parametrize("path", NODES, ids=relative)
def test_the_simulation_s_nodes_need_nothing_but_ros(path: Path) -> None:
    assert imported_packages(path) - set(sys.stdlib_module_names) - ROS - {"robot_bridge"} == set()


def test_nothing_else_imports_ros() -> None:
    """The web, runner and bridge processes never do."""
    may = {*python_files("robot_bridge/ros/child"), *NODES}
    named = [
        path for path in OURS if path not in may and any(name in path.read_text("utf-8") for name in ROS)
    ]
    found = {relative(path) for path in named if imported_packages(path) & ROS}

    assert found == set()
