"""Shared by all campaigns of random models: options, seeds over processes, shrinking of failures, reports."""
import argparse
import collections
import dataclasses
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time

from programs import ROOT

from generate import generate, write_case
from reduce import reduce_text


def names(text):
    return [t for t in text.split(",") if t]


def parser_of(doc, count):
    """The options that all campaigns take; `count` models by default."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--size", type=int, default=40, help="most nodes")
    parser.add_argument("--statements", type=int, default=6)
    parser.add_argument("--without", type=names, default=[], help="tags to leave out, e.g. typed,pool")
    parser.add_argument("--only", type=names, default=[], help="productions to draw statements from, e.g. edge_chain,self_loops")
    parser.add_argument("--keep", metavar="FOLDER", help="write the files of failures there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minimise", action="store_true", help="shrink failing models")
    return parser


def shrink_case(case, message, message_of, kind_of):
    """The case with a smaller text that fails the same way. message_of(case) returns the error, or None."""

    def fails(text):
        again = message_of(dataclasses.replace(case, text=text))
        return again is not None and kind_of(again) == kind_of(message)

    return dataclasses.replace(case, text=reduce_text(case.text, fails, limit=600))


def run_seed(options, seed, result, check, shrink, has_loss=False):
    """Returns the result of one seed. check(case, folder) fills it in; shrink(case, folder) returns a smaller case, or None. Models may have a loss."""
    folder = tempfile.mkdtemp(prefix=f"gnnc-random-{seed}-")
    try:
        case = generate(seed, options.size, options.statements, options.without, options.only, has_loss=has_loss)
        result.tags = case.tags
        check(case, folder)
        smaller = shrink(case, folder) if result.message is not None and options.minimise else None
        result.text = (smaller or case).text
        return result
    finally:
        shutil.rmtree(folder)


def report_failure(options, result, script, more, has_loss=False):
    """Reports a failure. `more` are the options of this script that repeat the run."""
    print(f"FAILED seed {result.seed}: {result.message}")
    print(f"  made of: {' '.join(result.tags)}")
    if options.minimise:
        print("  smaller:\n    " + result.text.strip().replace("\n", "\n    "))
    print(f"  repeat: python3 test/e2e/{script} --count 1 --seed {result.seed} --size {options.size} "
          f"--statements {options.statements} --without '{','.join(options.without)}' --only '{','.join(options.only)}' {more}")
    if options.keep:
        folder = os.path.join(options.keep, str(result.seed))
        case = generate(result.seed, options.size, options.statements, options.without, options.only, has_loss=has_loss)
        write_case(folder, dataclasses.replace(case, text=result.text))
        with open(os.path.join(folder, "message.txt"), "w", encoding="utf-8") as f:
            f.write(result.message + "\n")
        print(f"  files: {folder}")
    sys.stdout.flush()


def print_rates(results):
    """Prints the constructs with the highest shares of failures, where more than three models fail."""
    failures = [r for r in results if r.message is not None]
    if len(failures) > 3:
        seen = collections.Counter(t for r in results for t in r.tags)
        failed = collections.Counter(t for r in failures for t in r.tags)
        rates = sorted(((failed[t] / seen[t], t) for t in failed), reverse=True)
        print("share of failures by construct: " + ", ".join(f"{t} {rate:.0%}" for rate, t in rates[:12]))
    return failures


def run(options, work, report, summarise):
    """Calls work((options, seed)) for every seed and reports failures as they occur; exits with 1 where summarise reports a failure. An interrupt
    (Ctrl-C) ends the campaign with the summary of what is done."""
    start, results = time.time(), []
    tasks = [(options, seed) for seed in range(options.seed, options.seed + options.count)]
    with multiprocessing.Pool(options.jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for result in pool.imap_unordered(work, tasks):
                results.append(result)
                if result.message is not None:
                    report(options, result)
        except KeyboardInterrupt:
            print(f"interrupted after {len(results)} of {options.count} models")
            pool.terminate()
    sys.exit(1 if summarise(options, results, time.time() - start) else 0)
