# Each test runs the commands of its RUN lines with the tools of the build tree; FileCheck and other test tools come from LLVM.
#   lit -sv test/lit -Dgnn_bin=build/bin -Dllvm_bin=/usr/lib/llvm-22/bin [-Dshared_dir=../shared] [-Dtest_exec_root=DIR]
import atexit
import os
import shutil
import sys
import tempfile

import lit.formats

params = lit_config.params
here = os.path.dirname(os.path.abspath(__file__))

config.name = "gnnc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".gnn", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "CMakeLists.txt"]
config.test_source_root = here
gnn_bin = os.path.abspath(params.get("gnn_bin", os.path.join(here, "../../build/bin")))
llvm_bin = params.get("llvm_bin", "/usr/lib/llvm-22/bin")
config.test_exec_root = params.get("test_exec_root", os.path.join(os.path.dirname(gnn_bin), "test", "lit"))

# Tests name tools as gnn-opt or %gnn-opt; a test whose tool is missing fails and is not skipped.
python = params.get("python", sys.executable)
config.environment["PATH"] = os.pathsep.join([gnn_bin, llvm_bin, os.path.dirname(python), config.environment.get("PATH", "")])
for tool in ("gnnc", "gnn-opt", "gnn-run", "gnn-data", "gnn-as", "gnn-objdump", "gnn-spmm", "gnn-train"):
    config.substitutions.append(("%" + tool + r"\b", os.path.join(gnn_bin, tool)))
# Compiles files of the gnn level to C, for operations that no statement of the language makes by itself.
config.substitutions.append((r"%ir_to_c\b", os.path.join(os.path.dirname(gnn_bin), "test", "e2e", "ir_to_c")))
config.substitutions.append((r"%python\b", python))
config.substitutions.append((r"%source\b", os.path.dirname(os.path.dirname(here))))

# Tests that need data from outside of the repository say REQUIRES: shared.
shared = os.path.abspath(os.path.join(params.get("shared_dir", ""), "data")) if params.get("shared_dir") else ""
if shared and os.path.isdir(shared):
    config.available_features.add("shared")
    config.substitutions.append((r"%shared\b", shared))

# Tests of ranks that are processes say REQUIRES: mpi. More of them than processors, as root, without shared memory between users.
if shutil.which("mpirun") and os.path.exists(os.path.join(os.path.dirname(gnn_bin), "lib", "gnnc_mpi.so")):
    config.available_features.add("mpi")
    for name, value in (("ALLOW_RUN_AS_ROOT", "1"), ("ALLOW_RUN_AS_ROOT_CONFIRM", "1"), ("MCA_rmaps_base_oversubscribe", "1"), ("MCA_mpi_yield_when_idle", "1"),
                        ("MCA_btl_vader_single_copy_mechanism", "none"), ("MCA_btl", "self,vader"), ("MCA_plm_rsh_agent", "false"), ("MCA_hwloc_base_binding_policy", "none")):
        config.environment[f"OMPI_{name}"] = value
    folder = tempfile.mkdtemp(prefix="mpi")  # other tests begin at the same time
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    config.environment["OMPI_MCA_orte_tmpdir_base"] = folder

# Most tests look at results and messages of small models, for which the optimisation of the C compiler is time alone; tests
# of what the compiler does with generated C say `env CFLAGS=`. The end-to-end tests optimise as gnn-run does.
config.environment["CFLAGS"] = "-O0"

for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
