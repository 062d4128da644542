"""`make mutants`: a line for each safety rule, and a failure if any could be switched off unnoticed."""

import argparse
import sys
from pathlib import Path

from tests.mutants.rules import MutantsError, Rule, read_rules
from tests.mutants.runner import Trial, try_rules

CHECKOUT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("rules", nargs="*", help="only these, as S1 S7; all of them if none is named")
    parser.add_argument("--jobs", type=int, default=2, help="how many to try at a time")
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    try:
        rules = _select(read_rules(chosen.checkout / "docs" / "safety.md"), chosen.rules)
    except MutantsError as error:
        print(error, file=sys.stderr)
        return 2
    trials = [_told(trial) for trial in try_rules(chosen.checkout, rules, chosen.jobs)]
    noticed = sum(trial.verdict == "noticed" for trial in trials)
    print(f"{len(trials)} rules disarmed in turn: {noticed} noticed, {len(trials) - noticed} not")
    return 0 if noticed == len(trials) else 1


def _select(rules: tuple[Rule, ...], names: list[str]) -> tuple[Rule, ...]:
    unknown = set(names) - {rule.name for rule in rules}
    if unknown:
        raise MutantsError(f"docs/safety.md has no rule {', '.join(sorted(unknown))}")
    return tuple(rule for rule in rules if rule.name in names or not names)


def _told(trial: Trial) -> Trial:
    rule = trial.rule
    print(
        f"{rule.name:4} {trial.verdict:9} {trial.took_s:6.1f} s  {rule.guard_file}:{rule.guard}", flush=True
    )
    if trial.detail:
        print(f"     {trial.detail}\n     {rule.test}", flush=True)
    return trial


if __name__ == "__main__":
    sys.exit(main())
