"""Compiles emitted models against the Stan headers, several in one program, and keeps what was compiled."""

import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SUNDIALS = ("cvodes/*.c", "idas/*.c", "kinsol/*.c", "sundials/*.c", "sunmatrix/band/[!f]*.c", "sunmatrix/dense/[!f]*.c",
            "sunlinsol/band/[!f]*.c", "sunlinsol/dense/[!f]*.c", "sunnonlinsol/newton/[!f]*.c",
            "sunnonlinsol/fixedpoint/[!f]*.c", "nvector/serial/nvector_serial.c")
HESSIAN = ("-DSTAN_MODEL_FVAR_VAR",)
FEW_MEMBERS = ("-DEMITTED_FEW_MEMBERS",)
OPENCL = ("-DSTAN_OPENCL", "-DOPENCL_PLATFORM_ID=0", "-DOPENCL_DEVICE_ID=0", "-DCL_HPP_TARGET_OPENCL_VERSION=120",
          "-DCL_HPP_MINIMUM_OPENCL_VERSION=120", "-DCL_HPP_ENABLE_EXCEPTIONS")
WRAPPED = ("stan_model", "new_model", "get_stan_profile_data")  # names that every model defines


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **more)


def must(command, **more):
    done = run(command, **more)
    if done.returncode:
        raise SystemExit(" ".join(command) + "\n" + done.stderr[:4000])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    if os.path.exists(path) and read(path) == text:
        return path
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Headers:
    """The source package StanHeaders, unpacked."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.include = [os.path.join(self.folder, "inst/include"), os.path.join(self.folder, "inst/include/src")]
        version = os.path.join(self.include[1], "stan/version.hpp")
        if not os.path.exists(version):
            raise SystemExit(f"no Stan headers in {folder}: {version} is missing")
        numbers = dict(re.findall(r"#define STAN_(MAJOR|MINOR)\s+(\d+)", read(version)))
        self.version = (int(numbers["MAJOR"]), int(numbers["MINOR"]))


class Compiler:
    """Precompiled header, driver and libraries are made once per compiler and kind of text."""

    def __init__(self, headers, cache, command="clang++", defines=()):
        self.headers, self.command = headers, command
        self.clang = "clang" in os.path.basename(command)
        self.libraries = ["-ltbb", *(["-lOpenCL"] if "-DSTAN_OPENCL" in defines else [])]
        self.flags = ["-std=c++17", "-O0", "-w", "-pthread", "-D_REENTRANT", "-DSTAN_THREADS", "-DBOOST_DISABLE_ASSERTS",
                      "-DTBB_INTERFACE_NEW", "-fPIE", *defines, f"-I{HERE}"]
        for folder in [*headers.include, "/usr/include/eigen3"]:
            self.flags += ["-isystem", folder]
        version = run([command, "--version"]).stdout.splitlines()[0]
        self.key = digest(version, *self.flags, *(read(os.path.join(HERE, f)) for f in ("registry.h", "common.hpp", "few_members.h")))
        self.cache = os.path.join(cache, self.key)
        os.makedirs(self.cache, exist_ok=True)

    def made(self, name, command):
        """A file that `command` writes, unless it is there."""
        path = os.path.join(self.cache, name)
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            new = f"{path}.{os.getpid()}"
            must([*command, "-o", new])
            os.rename(new, path)
        return path

    def precompiled(self):
        source = os.path.join(HERE, "common.hpp")
        if self.clang:
            # What the headers use themselves is instantiated and compiled here once, not in every file.
            path = self.made("common.pch", [self.command, *self.flags, "-x", "c++-header", source, "-Xclang",
                                            "-fpch-instantiate-templates", "-fpch-codegen"])
            return ["-include-pch", path, "-fpch-codegen"]
        write(os.path.join(self.cache, "common.hpp"), read(source))
        self.made("common.hpp.gch", [self.command, *self.flags, "-x", "c++-header", source])
        return ["-include", os.path.join(self.cache, "common.hpp")]

    def common(self):
        """Objects of the code that only the precompiled header holds."""
        if not self.clang:
            return []
        return [self.made("common.o", [self.command, "-O0", "-w", "-c", self.precompiled()[1]])]

    def driver(self):
        source = os.path.join(HERE, "driver.cpp")
        key = digest(read(source), read(os.path.join(HERE, "json_text.h")))
        return self.made(f"driver-{key}.o", [self.command, *self.flags, *self.precompiled(), "-c", source])

    def sundials(self):
        root = os.path.join(self.headers.folder, "src")
        objects = []
        for source in sorted(path for pattern in SUNDIALS for path in glob.glob(os.path.join(root, pattern))):
            name = "sundials/" + os.path.relpath(source, root).replace("/", "_") + ".o"
            objects.append(self.made(name, ["cc", "-O1", "-w", "-DNO_FPRINTF_OUTPUT", f"-I{self.headers.include[0]}",
                                            f"-I{root}/sundials", "-include", "stan_sundials_printf_override.hpp", "-c",
                                            source]))
        return objects

    def prepare(self):
        self.common()
        self.sundials()
        self.driver()


class Model:
    """The text of a model, where it lies, and the program that runs it."""

    def __init__(self, text, header="", standalone=False):
        self.text, self.header, self.standalone = text, header, standalone
        self.id = "m" + digest(text, header)
        self.program, self.error = "", ""


class Builder:
    def __init__(self, compiler, jobs=1, batch=6, syntax_only=False):
        self.compiler, self.jobs, self.batch, self.syntax_only = compiler, jobs, batch, syntax_only
        self.folder = os.path.join(compiler.cache, "models")
        compiler.prepare()
        self.driver_key = os.path.basename(compiler.driver())
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, model):
        return self.path(model.id + (".syntax" if self.syntax_only else "") + ".json")

    def recall(self, model):
        if not os.path.exists(self.record(model)):
            return False
        known = json.loads(read(self.record(model)))
        model.error, object_file = known["error"], known["object"]
        if not model.error and object_file:
            model.program = self.link(object_file)
        return True

    def remember(self, model, object_file, error=""):
        model.error = error
        write(self.record(model), json.dumps({"error": error, "object": object_file}))
        if object_file and not error:
            model.program = self.link(object_file)

    def wrapper(self, model):
        if model.standalone:
            return f'#include "{self.path(model.id)}.hpp"\n'
        names = {name: f"{name}_{model.id}" for name in WRAPPED}
        define = "".join(f"#define {name} {names[name]}\n" for name in WRAPPED)
        undefine = "".join(f"#undef {name}\n" for name in WRAPPED)
        kind = names["stan_model"]
        return (f'{define}#include "{self.path(model.id)}.hpp"\n{undefine}'
                f'static const emitted::Registration registration_{model.id}({{"{model.id}", &{names["new_model"]}, '
                f"&emitted::constrained_types<{kind}>, &emitted::unconstrained_types<{kind}>}});\n")

    def compile(self, models):
        """Whether it compiled, the name of the object file, the errors."""
        name = "o" + digest(*(m.id for m in models))
        text = "".join(self.wrapper(m) for m in models)
        for m in models:
            write(self.path(m.id) + ".hpp", m.text)
            if m.header:
                text = f'#include "{write(self.path(m.id) + "_user.hpp", m.header)}"\n' + text
        source = write(self.path(name + ".cpp"), text)
        compiler = self.compiler
        result = ["-fsyntax-only"] if self.syntax_only else ["-c", "-o", self.path(name + ".o")]
        done = run([compiler.command, *compiler.flags, *compiler.precompiled(), *result, source])
        return not done.returncode, "" if self.syntax_only else name + ".o", done.stderr

    def link(self, object_file):
        program = self.path(object_file[:-2] + "-" + digest(self.driver_key))
        if not os.path.exists(program):
            linker = ["-fuse-ld=lld"] if os.path.exists("/usr/bin/ld.lld") else []
            must([self.compiler.command, *linker, "-pthread", self.compiler.driver(), self.path(object_file),
                  *self.compiler.common(), *self.compiler.sundials(), *self.compiler.libraries, "-o", program])
        return program

    def build_together(self, models):
        compiled, object_file, errors = self.compile(models)
        if compiled or len(models) == 1:
            for m in models:
                self.remember(m, object_file, "" if compiled else first_error(errors))
            return
        # Models that the compiler named go alone.
        named = [m for m in models if m.id in errors] or models
        for m in named:
            self.build_together([m])
        rest = [m for m in models if m not in named]
        if rest:
            self.build_together(rest)

    def build(self, models):
        todo = list({m.id: m for m in models if not self.recall(m)}.values())
        alone = [[m] for m in todo if m.header or m.standalone]
        others = [m for m in todo if not m.header and not m.standalone]
        groups = [others[i:i + self.batch] for i in range(0, len(others), self.batch)] + alone
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for number, _ in enumerate(pool.map(self.build_together, groups), 1):
                print(f"compiled {number} of {len(groups)} files", flush=True)
        for m in models:
            self.recall(m)


def first_error(text):
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if " error: " in line), 0)
    ours = next((line for line in lines[at:] if re.search(r"/m[0-9a-f]{20}\.hpp:", line)), "")
    return "\n".join(dict.fromkeys([*lines[at:at + 1], ours] if lines else ["failed"]))
