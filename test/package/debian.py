"""The Debian packages: fields of control, contents, dates; extracted into a bare folder the programs run, a project is built against
libgnnc-dev from there, and packing again gives the same bytes. A computer without dpkg-deb skips all. install.py uses the quick part."""
import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../style"))
import tree  # noqa: E402

problems, checked = [], 0


def check(what, good, where="package"):
    """Counts a check; one that fails is a problem of `where`."""
    global checked
    checked += 1
    if not good:
        problems.append(f"{where}: {what}")


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)


def pack(options, folder):
    made = run(options.cpack, "-G", "DEB", "--config", f"{options.build}/CPackConfig.cmake", "-B", folder, cwd=os.path.dirname(folder))
    if made.returncode:
        sys.exit(f"package: cpack fails:\n{made.stdout}{made.stderr}")
    return packages_in(folder)


def packages_in(folder):
    return {n.split("_")[0]: f"{folder}/{n}" for n in sorted(os.listdir(folder)) if n.endswith(".deb")}


def check_fields(packages, version):
    fields = {}
    for name, path in packages.items():
        said = run("dpkg-deb", "-f", path).stdout
        fields[name] = dict(re.findall(r"^([A-Za-z-]+): (.*(?:\n .*)*)", said, re.M))
        for key in ("Maintainer", "Architecture", "Description", "Section"):
            check(f"{name} has no {key}", fields[name].get(key))
        check(f"{name} is version {fields[name]['Version']}, expected {version}", fields[name]["Version"] == version)
        check(f"{name}: Description has no long text", "\n" in fields[name]["Description"])
    for library in ("libc6", "libjansson4", "libelf1", "libxxhash0", "zlib1g"):
        check(f"gnnc does not depend on {library}", re.search(rf"\b{library}\b", fields["gnnc"]["Depends"]))
    for other in (f"gnnc (= {version})", "libjansson-dev", "libxxhash-dev", "libelf-dev", "zlib1g-dev"):
        check(f"libgnnc-dev does not depend on {other}", other in fields["libgnnc-dev"]["Depends"].split(", "))
    if "gnnc-mpi" in fields:
        check("gnnc-mpi does not depend on gnnc", f"gnnc (= {version})" in fields["gnnc-mpi"]["Depends"].split(", "))
        check("gnnc-mpi does not depend on an MPI", re.search(r"\blib\w*mpi", fields["gnnc-mpi"]["Depends"]))
    check("gnnc depends on an MPI", not re.search(r"\blib\w*mpi", fields["gnnc"]["Depends"]))
    check("no C compiler is suggested", "c-compiler" in fields["libgnnc-dev"].get("Suggests", ""))
    check("two packages have the same short description",
          len({f["Description"].split("\n")[0] for f in fields.values()}) == len(fields))


def check_contents(packages):
    for name, path in packages.items():
        listed = run("dpkg-deb", "-c", path, env={**os.environ, "TZ": "UTC"}).stdout.splitlines()
        names = [line.split()[5][2:] for line in listed]
        for wanted in ("copyright", "changelog.gz", "changelog.Debian.gz"):
            check(f"{name} has no {wanted}", f"usr/share/doc/{name}/{wanted}" in names)
        check(f"{name}: files of others than root", all(line.split()[1] == "root/root" for line in listed))
        check(f"{name}: modes {set(line.split()[0] for line in listed)}", {line.split()[0] for line in listed} <= {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"})
        check(f"{name}: several dates", len({tuple(line.split()[3:5]) for line in listed}) == 1)
        is_dev = [n.startswith(("usr/include", "usr/lib")) for n in names if not n.endswith("/") and "/doc/" not in n]
        check(f"{name} has files of the other package", not any(is_dev) if name == "gnnc" else all(is_dev))
        check(f"{name}: a manual page that is not compressed", not any(n.endswith(".1") for n in names))


def check_documents(root, version):
    with gzip.open(f"{root}/usr/share/doc/gnnc/changelog.gz", "rt", encoding="utf-8") as f:
        check("changelog.gz is not CHANGELOG.md", f.read() == tree.read("CHANGELOG.md"))
    with gzip.open(f"{root}/usr/share/doc/gnnc/changelog.Debian.gz", "rt", encoding="utf-8") as f:
        check("changelog.Debian.gz does not begin with the version", f.read().startswith(f"gnnc ({version}) unstable; urgency="))
    copyright_text = tree.read(f"{root}/usr/share/doc/gnnc/copyright")
    check("copyright has not the exceptions of the license", "As an exception, if, as a result of your compiling" in copyright_text)
    check("a manual page cannot be unpacked", b".TH" in gzip.open(f"{root}/usr/share/man/man1/gnnc.1.gz").read())


def check_programs(root, version, work):
    """With nothing of this build on the path, from a folder that is not /usr."""
    env = {"PATH": f"{root}/usr/bin:/usr/bin:/bin", "HOME": work}
    for program in ("gnnc", "gnn-run", "gnn-data", "gnn-opt", "gnn-as", "gnn-objdump", "gnn-spmm", "gnn-train"):
        said = run(f"{root}/usr/bin/{program}", "--version", env=env).stdout
        check(f"{program} --version says '{said.strip()}'", said.split()[:2] == [program, version])
    karate = f"{root}/usr/share/doc/gnnc/examples/karate"
    steps = [["gnn-data", "convert", f"{karate}/karate.txt", "-o", "karate.safetensors"],
             ["gnn-data", "convert", f"{karate}/karate_gcn.txt", "-o", "karate_gcn.safetensors"]]
    files = ["--graph", "karate.safetensors", "--weights", "karate_gcn.safetensors"]
    model = f"{root}/usr/share/doc/gnnc/examples/gcn.gnn"
    steps += [["gnnc", "--target=c", model, *files, "-o", "gcn.c"], ["gnnc", "--target=host", model, *files, "-o", "gcn.bin"],
              ["gnn-run", "gcn.c", *files, "-o", "out.safetensors"],
              ["gnn-run", "gcn.bin", "--graph", "karate.safetensors", "--compare=out.safetensors"]]
    for step in steps:
        done = run(f"{root}/usr/bin/{step[0]}", *step[1:], cwd=work, env=env)
        check(f"{' '.join(step)} fails:\n{done.stdout}{done.stderr}", done.returncode == 0)


def check_project(options, root, work):
    """test/embed/user with find_package and gnnc_add_model."""
    arguments = ["-G", "Ninja", f"-DCMAKE_C_COMPILER={options.cc}", "-DCMAKE_BUILD_TYPE=Release", f"-DDATA={work}",
                 f"-DEXAMPLES={root}/usr/share/doc/gnnc/examples"]
    made = run(options.cmake, "-S", "test/embed/user", "-B", f"{work}/user", f"-DCMAKE_PREFIX_PATH={root}/usr", *arguments)
    check(f"the project is not configured:\n{made.stdout}{made.stderr}", made.returncode == 0)
    built = run(options.cmake, "--build", f"{work}/user")
    check(f"the project is not built:\n{built.stdout}{built.stderr}", built.returncode == 0)
    ran = run(f"{work}/user/app", f"{work}/karate.safetensors", f"{work}/karate_gcn.safetensors")
    check(f"the project's program says:\n{ran.stdout}{ran.stderr}", ran.returncode == 0 and "files: 34 nodes" in ran.stdout)


def check_alone(options, packages, work):
    """libgnnc-dev without gnnc, as nobody's package manager would install it."""
    subprocess.run(["dpkg-deb", "-x", packages["libgnnc-dev"], f"{work}/alone"], check=True)
    config = next(f"{at}/gnnc-config.cmake" for at, _, names in os.walk(f"{work}/alone") if "gnnc-config.cmake" in names)
    made = run(options.cmake, "-S", "test/embed/user", "-B", f"{work}/refused", "-G", "Ninja", f"-DCMAKE_C_COMPILER={options.cc}",
               f"-DCMAKE_PREFIX_PATH={work}/alone/usr", f"-Dgnnc_DIR={os.path.dirname(config)}")
    said = " ".join(made.stderr.split())
    check(f"libgnnc-dev without gnnc says:\n{made.stderr}", made.returncode and "install component gnnc beside libgnnc-dev" in said)


def check_packages(packages, version, revision, work):
    """The quick part; returns the folder into which the packages were extracted."""
    check(f"packages {sorted(packages)}", sorted(set(packages) - {"gnnc-mpi"}) == ["gnnc", "libgnnc-dev"])
    check_fields(packages, f"{version}-{revision}")
    check_contents(packages)
    root = f"{work}/bare root"
    for path in packages.values():
        subprocess.run(["dpkg-deb", "-x", path, root], check=True)
    check_documents(root, f"{version}-{revision}")
    check_programs(root, version, work)
    return root


def can_run():
    if shutil.which("dpkg-deb"):
        return True
    print("package: 1 test skipped: dpkg-deb is not here")
    return False


def parse_options():
    parser = argparse.ArgumentParser()
    for name in ("build", "cmake", "cpack", "cc", "version", "revision"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


def main():
    options = parse_options()
    if not can_run():
        return
    with tempfile.TemporaryDirectory() as work:
        packages = pack(options, f"{work}/packages")
        root = check_packages(packages, options.version, options.revision, work)
        check_project(options, root, work)
        check_alone(options, packages, work)
        again = pack(options, f"{work}/again")
        for name, path in packages.items():
            check(f"{name}: packed again, the bytes differ", open(path, "rb").read() == open(again[name], "rb").read())
    tree.finish("package", checked, problems)


if __name__ == "__main__":
    main()
