#!/usr/bin/env python3
"""Training measured: accuracy, time of a step, PyTorch, memory, compile time: python3 bench/train.py --accuracy --time

--accuracy trains examples with --seeds seeds on real graphs of --shared (or $GNNC_SHARED). --time compares a step with an evaluation,
--memory counts the workspace, --compile compares gnnc --train with gnnc, --peers compares epochs with plain PyTorch, where /usr/bin/python3
has it. Each number stands beside what it must reach, and the configuration behind it.
"""
import argparse
import os

from inputs import ROOT
from train_accuracy import Accuracies
from train_memory import Costs
from train_speed import Speeds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs and results (default build/bench)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with the real graphs")
    parser.add_argument("--only", default="", type=lambda t: [n for n in t.split(",") if n], help="some models, by their names")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--fold-seeds", type=int, default=3, help="of the models that are trained on folds (default 3)")
    parser.add_argument("--seconds", type=float, default=5, help="of runs for each cell of --time, about (default 5; 5 to 101 rounds)")
    parser.add_argument("--graphs", default="", type=lambda t: [n for n in t.split(",") if n], help="with --time: some graphs")
    parser.add_argument("--rounds", type=int, default=5, help="of --peers (default 5)")
    parser.add_argument("--pairs", type=int, default=15, help="of --compile (default 15)")
    for part in ("accuracy", "time", "peers", "memory", "compile"):
        parser.add_argument(f"--{part}", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    if options.accuracy:
        Accuracies(options).run()
    if options.time:
        Speeds(options).times()
    if options.peers:
        Speeds(options).peers()
    if options.memory:
        Costs(options).memory()
    if options.compile:
        Costs(options).compile()


if __name__ == "__main__":
    main()
