"""Every fenced example of the documentation works, and the manual pages know every option. Argument: the folder of the programs.

gnn blocks are compiled (`gnn fragment` blocks are not files and are left to the reader; a size that only a weights file could bind is fine);
sh blocks run in a folder that holds examples/ and the karate club as karate.safetensors and karate_gcn.safetensors, unless they build the
project itself or name a file the reader would bring. Citations of generated pages say where they are; blocks of the README run as they are typed after its first command, which leaves build/bin
and build/demo; c and cmake blocks of embedding.md are the files of test/embed/user."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tree

BIN = os.path.abspath(sys.argv[1])
NOT_RUN = ("bootstrap.sh", "cmake ", "ctest", "bench/", "test/", "cora", "apt-get")
problems, checked = [], 0


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
    source = os.path.join(folder, "example.gnn")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([f"{BIN}/gnnc", "-O0", "--emit=gnn", "-o", "-", source], capture_output=True, text=True)
    ids = re.findall(r"error: .*\[([a-z-]+)\]$", run.stderr, re.M)
    if run.returncode and (not ids or set(ids) - {"unbound-dimension"}):
        problems.append(f"{path}:{number}: gnnc refuses the example:\n{run.stderr}")


def check_shell(path, number, text, folder):
    env = dict(os.environ, PATH=BIN + ":" + os.environ["PATH"])
    run = subprocess.run(["sh", "-e", "-c", text if path == "README.md" else text.replace("build/bin/", "")], cwd=folder, env=env, capture_output=True, text=True)
    if run.returncode:
        problems.append(f"{path}:{number}: the commands fail:\n{run.stdout}{run.stderr}")


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
            elif language == "sh" and not any(word in text for word in NOT_RUN):
                check_shell(path, number, text, folder)
            elif path == "docs/embedding.md" and language in ("c", "cmake"):
                file = "app.c" if language == "c" else "CMakeLists.txt"
                if text.strip() != tree.read(f"test/embed/user/{file}").strip():
                    problems.append(f"{path}:{number}: is not test/embed/user/{file}")
            else:
                continue
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

for tool in ("gnnc", "gnn-opt", "gnn-run", "gnn-data", "gnn-as", "gnn-objdump"):
    page = tree.read(f"docs/man/{tool}.1").replace("\\-", "-") if os.path.exists(f"docs/man/{tool}.1") else ""
    shown = subprocess.run([f"{BIN}/{tool}", "--help"], capture_output=True, text=True)
    for option in sorted(set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]+)", shown.stdout))):
        checked += 1
        if f"--{option}" not in page:
            problems.append(f"docs/man/{tool}.1: --{option} is in --help but not on the page")
    for switch in re.findall(r"-f\[no-\]([a-z-]+)", shown.stdout):
        checked += 1
        if f".B {switch}\n" not in page:
            problems.append(f"docs/man/{tool}.1: switch {switch} is in --help but not on the page")
    # gnn-opt has an option per pass
    options = "" if tool == "gnn-opt" else page[page.find(".SH OPTIONS"):page.find(".SH EXIT STATUS")]
    for option in sorted(set(re.findall(r"^\.BR? (?:-[a-zA-Z] , )?--([a-z][a-z0-9-]+)", options, re.M))):
        checked += 1
        if f"--{option}" not in shown.stdout:
            problems.append(f"docs/man/{tool}.1: --{option} is on the page but not in --help")
tree.finish("docs", checked, problems)
