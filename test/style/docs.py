"""The documentation is right: examples compile or run, links lead somewhere, paths exist, options are described. Argument: the
folder of the programs.

* gnn blocks compile. A size that only a weights file binds may be unbound; `gnn fragment` blocks are not whole files and are not compiled.
* sh blocks run in a folder with examples/, karate.safetensors, karate_gcn.safetensors, and build/demo/example.gnn, which is the gnn block before. Blocks that
  build the project or name files of the reader do not run. Blocks of the README and of pages that say build/bin run as they are typed, after the
  README's first command, which makes build/bin and build/demo. No block of the README is left out; those of install.md run in test/package.
* python blocks of graph-files.md run where the modules that they import are there, and the graph files that they write are valid; a stand-in
  replaces the package safetensors. How many were skipped is printed.
* c and cmake blocks of embedding.md are the files of test/embed/user.
* Links within the repository lead to a file and, behind #, to a heading. Paths between backticks exist.
* Pages of devices have a row for each parameter, with its default and role. Manual pages have every option of --help.
* The changelog has the form of Keep a Changelog, and the tests that compatibility.md names exist. Citations of generated pages say where they are.
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tree

BIN = os.path.abspath(sys.argv[1])
NOT_RUN = ("bootstrap.sh", "cmake ", "ctest", "bench/", "test/", "cora", "apt-get")
ROOTS = ("bench", "cmake", "codegen", "data", "dialects", "docs", "examples", "frontend", "isa", "kernels", "passes", "runtime", "sim", "support", "test", "tools")
problems, checked, skipped = [], 0, 0
STAND_IN = os.path.abspath("test/style/stand_in")


EMBEDDED = {"c": "app.c", "c train": "train.c", "cmake": "CMakeLists.txt"}


def blocks(path):
    """(language, first line number, text) of each fenced block."""
    found, current = [], None
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        if line.startswith("```"):
            if current is None:
                current = (line[3:].strip(), number + 1, [])
            else:
                found.append((current[0], current[1], "\n".join(current[2]) + "\n"))
                current = None
        elif current is not None:
            current[2].append(line)
    return found


def check_gnn(path, number, text, folder):
    source = os.path.join(folder, "build", "demo", "example.gnn")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([f"{BIN}/gnnc", "-O0", "--emit=gnn", "-o", "-", source], capture_output=True, text=True)
    ids = re.findall(r"error: .*\[([a-z-]+)\]$", run.stderr, re.M)
    if run.returncode and (not ids or set(ids) - {"unbound-dimension"}):
        problems.append(f"{path}:{number}: gnnc refuses the example:\n{run.stderr}")


def check_shell(path, number, text, folder):
    env = dict(os.environ, PATH=BIN + ":" + os.environ["PATH"])
    run = subprocess.run(["sh", "-e", "-c", text], cwd=folder, env=env, capture_output=True, text=True)
    if run.returncode:
        problems.append(f"{path}:{number}: the commands fail:\n{run.stdout}{run.stderr}")


def check_python(path, number, text, folder):
    """Runs a script; returns whether the modules that it needs are there."""
    modules = set(re.findall(r"^(?:import|from) (\w+)", text, re.M))
    has_safetensors = importlib.util.find_spec("safetensors") is not None
    if not all(m == "safetensors" or importlib.util.find_spec(m) for m in modules):
        return False
    paths = ([] if has_safetensors else [STAND_IN]) + [p for p in [os.environ.get("PYTHONPATH")] if p]
    run = subprocess.run([sys.executable, "-c", text], cwd=folder, env=dict(os.environ, PYTHONPATH=":".join(paths)), capture_output=True, text=True)
    written = re.findall(r'"(\w+\.safetensors)"', text)
    for name in written if not run.returncode else []:
        run = subprocess.run([f"{BIN}/gnn-data", "stats", f"{folder}/{name}"], capture_output=True, text=True)
    if run.returncode:
        problems.append(f"{path}:{number}: the script or gnn-data stats of its file fails:\n{run.stdout}{run.stderr}")
    return True


def prose(path):
    """(number, line) of each line that is in no block."""
    inside = False
    for number, line in enumerate(tree.read(path).split("\n"), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(path):
    """The anchors of a page: its headings, as GitHub names them."""
    headings = (re.sub(r"[`*]", "", line.lstrip("#").strip()) for _, line in prose(path) if re.match(r"#+ ", line))
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def check_link(path, number, target):
    """Checks a link of a page to a file of the repository."""
    name, _, anchor = target.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if not os.path.exists(file):
        problems.append(f"{path}:{number}: the link {target} leads nowhere")
    elif anchor and anchor not in anchors(file):
        problems.append(f"{path}:{number}: {file} has no heading #{anchor}")


def check_path(path, number, text):
    """Checks a path between backticks: <machine> and * stand for anything, {a,b} for each of its parts."""
    listed = re.search(r"\{([\w,]+)\}", text)
    for name in [text.replace(listed[0], part) for part in listed[1].split(",")] if listed else [text]:
        if not glob.glob(re.sub(r"<\w+>", "*", name)):
            problems.append(f"{path}:{number}: there is no {name}")


def check_parameters(machine):
    """Checks the table of parameters of docs/devices/<machine>.md; returns the number of parameters."""
    page = tree.read(f"docs/devices/{machine}.md")
    definition = tree.read(f"isa/{machine}/device.def")
    roles = dict(re.findall(r"^PARAM\((\w+), \w+, (\w+)", tree.read("isa/device_common.def"), re.M))
    rows = [(key, roles[key], default) for key, default in re.findall(r'^COMMON\((\w+), [^,]+, [^,]+, (.*)\)', definition, re.M)]
    rows += [(key, role, default) for key, role, default in
             re.findall(r"^PARAM\((\w+), \w+, (\w+), [^,]+, [^,]+, ([^,]+),", definition, re.M)]
    rows += [(key, role, default.split("_")[-1]) for key, role, default in re.findall(r"^CHOICE\((\w+), (\w+), (\w+),", definition, re.M)]
    for key, role, default in rows:
        value = re.sub(r"^\"|\"$|^INT64_C\(|\)?( /\*.*)?$", "", default)
        value = "1000 / `clock_mhz`" if key == "cycle_ns" else value
        if f"| `{key}` | {value} | {role} |" not in page:
            problems.append(f"docs/devices/{machine}.md: no row `{key}` | {value} | {role}")
    return len(rows)
def check_bootstrap(path, number, text):
    """The commands that build everything: the script takes them."""
    words = re.findall(r"^([a-z-]+)\)$", tree.read("cmake/bootstrap.sh"), re.M)
    for line in text.splitlines():
        given = re.fullmatch(r"sh cmake/bootstrap\.sh ([a-z-]+)", line)
        if not given or given[1] not in words:
            problems.append(f"{path}:{number}: '{line}' is not cmake/bootstrap.sh with one of its words")


def check_changelog(version):
    """[Unreleased], then versions from new to old; the version of the programs is the newest, or named as the one being prepared."""
    text = tree.read("CHANGELOG.md")
    titles = re.findall(r"^## (.*)$", text, re.M)
    if not titles or titles[0] != "[Unreleased]":
        problems.append("CHANGELOG.md: does not begin with ## [Unreleased]")
    for title in titles[1:]:
        if not re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", title):
            problems.append(f"CHANGELOG.md: '## {title}' is not [1.2.3] - 2026-01-31")
    for title in re.findall(r"^### (.*)$", text, re.M):
        if title not in ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"):
            problems.append(f"CHANGELOG.md: ### {title} is no kind of change")
    unreleased = text.split("\n## ")[1]
    if version not in unreleased and not any(title.startswith(f"[{version}]") for title in titles[1:2]):
        problems.append(f"CHANGELOG.md: version {version} of CMakeLists.txt is neither the newest nor the one being prepared")


with tempfile.TemporaryDirectory() as folder:
    shutil.copytree("examples", f"{folder}/examples")
    for name in ("karate", "karate_gcn"):
        subprocess.run([f"{BIN}/gnn-data", "convert", f"examples/karate/{name}.txt", "-o", f"{folder}/{name}.safetensors"], check=True)
    os.makedirs(f"{folder}/build/demo")
    os.symlink(BIN, f"{folder}/build/bin")
    for name in re.findall(r'-o "\$out/([a-z_]+\.safetensors)"', tree.read("cmake/bootstrap.sh").split("demo() {")[1].split("\n}")[0]):
        if os.path.exists(f"{folder}/{name}"):
            shutil.copy(f"{folder}/{name}", f"{folder}/build/demo/{name}")
    for path in tree.files(".md"):
        for language, number, text in blocks(path):
            if language == "gnn":
                check_gnn(path, number, text, folder)
            elif path == "README.md" and "bootstrap.sh" in text:
                check_bootstrap(path, number, text)
            elif path == "README.md":
                if language == "sh":
                    check_shell(path, number, text, folder)
                else:
                    problems.append(f"{path}:{number}: nothing tries this block: ```{language}")
            elif language == "sh" and path != "docs/install.md" and not any(word in text for word in NOT_RUN):
                check_shell(path, number, text, folder)
            elif path == "docs/graph-files.md" and language == "python":
                if not check_python(path, number, text, folder):
                    skipped += 1
                    continue
            elif path == "docs/embedding.md" and language in EMBEDDED:
                file = EMBEDDED[language]
                if text.strip() != tree.read(f"test/embed/user/{file}").strip():
                    problems.append(f"{path}:{number}: is not test/embed/user/{file}")
            else:
                continue
            checked += 1

for path in tree.files(".md"):
    for number, line in prose(path):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if "://" not in target:
                checked += 1
                check_link(path, number, target)
        for text in re.findall(r"`([\w./*<>{},-]+/[\w./*<>{},-]*)`", line):
            if text.split("/")[0] in ROOTS:
                checked += 1
                check_path(path, number, text)
for machine in (name[:-3] for name in sorted(os.listdir("docs/devices")) if name.endswith(".md") and name != "README.md"):
    checked += check_parameters(machine)

# What compatibility.md says that a test shows: the file is there, and has the test.
page = tree.read("docs/compatibility.md")
for name, path in re.findall(r"(?:`(\w+)` in )?`(test/[\w./-]+)`", page):
    checked += 1
    if not os.path.exists(path) or (name and not re.search(rf"\b{name}\b", tree.read(path))):
        problems.append(f"docs/compatibility.md: there is no {name or 'file'} {path}")
check_changelog(re.search(r"project\(gnnc VERSION ([0-9.]+)", tree.read("CMakeLists.txt"))[1])
checked += 1
# Weights are trained with it, and a reader who leaves it out loses accuracy without a message.
for name in sorted(os.listdir("examples")):
    text = tree.read(f"examples/{name}") if name.endswith(".gnn") else ""
    if "row_normalize(" in text and not any("row_normalize" in line for line in text.split("\n") if line.startswith("#")):
        problems.append(f"examples/{name}: uses row_normalize, and its opening comment does not say why")

shown = [text for language, _, text in blocks("docs/models.md") if language == "gnn"]
for name in sorted(os.listdir("examples")):
    if name.endswith(".gnn"):
        checked += 1
        if tree.read(f"examples/{name}") not in shown:
            problems.append(f"docs/models.md: does not show examples/{name} as it is")

# Pages that are made from tables are in build/docs, or are printed by a command.
made = re.compile(r"(?<!build/)\bdocs/(?:ops|passes|errors|isa_[a-zA-Z<>]+)\.md")
for path in tree.files():
    if path.endswith((".c", ".h", ".def", ".in", ".md", ".1", ".py")) and not path.startswith("test/style/"):
        checked += 1
        for page in set(made.findall(tree.read(path))):
            problems.append(f"{path}: {page} is not in docs: it is made in build/docs, so say that or name the command that prints it")

for tool in ("gnnc", "gnn-opt", "gnn-run", "gnn-data", "gnn-as", "gnn-objdump", "gnn-spmm", "gnn-train"):
    page = tree.read(f"docs/man/{tool}.1").replace("\\-", "-") if os.path.exists(f"docs/man/{tool}.1") else ""
    shown = subprocess.run([f"{BIN}/{tool}", "--help"], capture_output=True, text=True)
    for option in sorted(set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]+)", shown.stdout))):
        checked += 1
        if f"--{option}" not in page:
            problems.append(f"docs/man/{tool}.1: --{option} is in --help but not on the page")
    for switch in re.findall(r"-f\[no-\]([a-z0-9-]+)", shown.stdout):
        checked += 1
        if f".B {switch}\n" not in page:
            problems.append(f"docs/man/{tool}.1: switch {switch} is in --help but not on the page")
    # gnn-opt has an option per pass
    options = "" if tool == "gnn-opt" else page[page.find(".SH OPTIONS"):page.find(".SH EXIT STATUS")]
    for option in sorted(set(re.findall(r"^\.BR? (?:-[a-zA-Z] , )?--([a-z][a-z0-9-]+)", options, re.M))):
        checked += 1
        if f"--{option}" not in shown.stdout:
            problems.append(f"docs/man/{tool}.1: --{option} is on the page but not in --help")
if skipped:
    print(f"docs: {skipped} python blocks skipped, because a module that they import is not there")
tree.finish("docs", checked, problems)
