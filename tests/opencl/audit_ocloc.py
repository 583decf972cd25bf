#!/usr/bin/env python3
"""Audits the tile kernels as Intel's offline compiler makes them for Arc (acm-g11).

audit_ocloc.py SOURCE_ROOT [--table] [--planted]

Every kernel, in the fp64-free form, must hold no scratch or private memory (old Intel drivers fault on it), no f64
operand (one blocks a whole program on Arc) and no contracted multiply-add. `mad` on floats is contraction, except in
the sequence of a correctly rounded division and in vqx_fma: so each kernel that divides is compiled once more with the
software division and without vqx_fma, and that one must hold none at all.

--table prints registers and memory of each kernel, for docs/backends/opencl.md. --planted checks that a private array, a
double and a contraction are each found. Exit status 77 (skipped): ocloc or libiga64 is missing.
"""
import argparse
import ctypes.util
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

DEVICE = "acm-g11"
SKIPPED = 77

FLAGS = "-cl-std=CL1.2"
CORRECT_DIVISION = "-cl-fp32-correctly-rounded-divide-sqrt"
SOFT_DIVISION = "-DVQX_SOFT_DIVISION"
NO_FMA = "#undef FP_FAST_FMAF\n"


def configurations():
    """(label, defines, divides) of the kernels of the default options, and for any filter."""
    yield "row_sums", "-DKERNEL_ROW_SUMS", False
    for bits in (16,):
        yield f"prescale {bits}", f"-DKERNEL_PRESCALE -DVIF_SAMPLE_BITS={bits}", True
    for bits, radius in ((8, 4), (16, 4), (32, 2), (32, 1), (32, 0)):
        yield f"decimate {bits} {filter_name(radius)}", f"-DKERNEL_DECIMATE {shape(bits, radius)}", False
    for bits, radius in ((8, 8), (16, 8), (32, 4), (32, 2), (32, 1), (32, 0)):
        yield f"scale {bits} {filter_name(radius)}", f"-DKERNEL_SCALE {shape(bits, radius)}", True
    yield "probe", "-DKERNEL_PROBE", True
    yield "peak", "-DKERNEL_PEAK", False


def shape(bits, radius):
    return f"-DVIF_SAMPLE_BITS={bits}" + (f" -DVIF_RADIUS={radius}" if radius else "")


def filter_name(radius):
    return f"{2 * radius + 1} taps" if radius else "any filter"


def elf_section(data, wanted):
    offset, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        start = strings + header[0]
        if data[start:data.index(b"\0", start)] == wanted:
            return data[header[4]:header[4] + header[5]].decode()
    raise RuntimeError(f"no section {wanted}")


class Ocloc:
    def __init__(self, folder):
        self.folder = folder
        self.environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": str(folder), "HOME": str(folder)}

    def run(self, *arguments):
        return subprocess.run(["ocloc", *arguments], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def compile(self, source, defines, internal):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        result = self.run("compile", "-file", str(source), "-device", DEVICE, "-options", f"{FLAGS} {defines}",
                          "-internal_options", internal, "-out_dir", str(out), "-output", "k")
        binaries = list(out.glob("*.bin")) if out.exists() else []
        if result.returncode or not binaries:
            raise RuntimeError(f"ocloc fails with {defines}:\n{result.stdout}")
        return binaries[0]

    def information(self, source, defines):
        """The .ze_info text: registers, memory."""
        return elf_section(self.compile(source, defines, "-cl-intel-allow-zebin").read_bytes(), b".ze_info")

    def assembly(self, source, defines):
        binary = self.compile(source, defines, "-cl-intel-disable-zebin")
        dump = self.folder / "dump"
        shutil.rmtree(dump, ignore_errors=True)
        dump.mkdir()
        self.run("disasm", "-file", str(binary), "-device", DEVICE, "-dump", str(dump))
        listings = list(dump.glob("*.asm"))
        if not listings:
            raise RuntimeError("ocloc disassembles nothing")
        return "\n".join(listing.read_text() for listing in listings)


def memory_faults(information):
    """What .ze_info says of memory a thread needs besides registers."""
    if "per_thread_memory_buffers" not in information:
        return []
    part = information.split("per_thread_memory_buffers", 1)[1].split("\n  - ", 1)[0]
    kinds = set(re.findall(r"(?:type|usage): *(\w+)", part))
    return [f"memory per thread ({', '.join(sorted(kinds))})"]


def float_mads(assembly):
    return len(re.findall(r"^.*\bmad[a-z]* +\([^)]*\).*:f\b.*$", assembly, re.MULTILINE))


def instruction_faults(assembly):
    return ["f64 operands"] if re.search(r":df\b", assembly) else []


def audit(ocloc, source, defines, divides):
    """(faults, figures) of one kernel."""
    correct = f"{CORRECT_DIVISION} {defines}"
    information = ocloc.information(source, correct)
    assembly = ocloc.assembly(source, correct)
    faults = memory_faults(information) + instruction_faults(assembly)
    if divides:
        bare = source.with_suffix(".bare.cl")
        bare.write_text(NO_FMA + source.read_text())
        contracted = float_mads(ocloc.assembly(bare, f"{SOFT_DIVISION} {defines}"))
    else:
        contracted = float_mads(assembly)
    if contracted:
        faults.append(f"{contracted} contracted multiply-adds")

    def figure(name):
        found = re.search(rf"{name}: *(\d+)", information)
        return found.group(1) if found else "0"

    figures = (figure("grf_count"), figure("simd_size"),
               str(len(re.findall(r"^ +\S.*\(\d+\|M\d+\)|^\(.*\(\d+\|M\d+\)", assembly, re.MULTILINE))),
               str(float_mads(assembly)))
    return faults, figures


def embed(root, folder, name, edits=()):
    """The kernels' text, with (old, new) edits made in it."""
    source = folder / f"{name}.cl"
    subprocess.run([sys.executable, str(root / "src/backend/opencl/embed.py"), str(root / "src"),
                    str(root / "src/backend/opencl/kernels.cl"), str(source)], check=True)
    text = source.read_text()
    for old, new in edits:
        if text.count(old) != 1:
            raise RuntimeError(f"'{old}' is not there exactly once: the planted fault must be renewed")
        text = text.replace(old, new)
    source.write_text(text)
    return source


SUMMAND = "sum[o] = vqx_add(sum[o], vqx_mul(vif_tap(tap, k, VIF_RADIUS), v));\n        }\n    }"
RESULT = "column[o * VIF_DECIMATE_PITCH] = sum[o];"
PLANTED = (  # title, what the audit must say, edits of the decimation
    ("a private array indexed at run time", "memory per thread",
     (("vqx_f32 sum[VIF_ROWS];", "vqx_f32 sum[512];"),
      (RESULT, "column[o * VIF_DECIMATE_PITCH] = sum[(o * args.width) & 511];"))),
    ("a double", "f64|double",
     ((RESULT, "column[o * VIF_DECIMATE_PITCH] = (float)((double)sum[o] * args.width);"),)),
    ("contraction left on", "contracted",
     (("#pragma OPENCL FP_CONTRACT OFF", "#pragma OPENCL FP_CONTRACT ON"),
      (SUMMAND, SUMMAND.replace("vqx_add(sum[o], vqx_mul(vif_tap(tap, k, VIF_RADIUS), v))",
                                "sum[o] + vif_tap(tap, k, VIF_RADIUS) * v")))),
)


def planted(ocloc, root, folder):
    missed = 0
    for title, expected, edits in PLANTED:
        source = embed(root, folder, "planted", edits)
        try:
            faults, _ = audit(ocloc, source, f"-DKERNEL_DECIMATE {shape(32, 1)}", False)
        except RuntimeError as error:  # f64 does not compile for Arc at all
            faults = [str(error)]
        found = any(re.search(expected, fault) for fault in faults)
        print(f"planted: {title}: {'caught' if found else 'MISSED'}: {'; '.join(faults)[:200]!r}")
        missed += not found
    return missed


def missing():
    if not shutil.which("ocloc"):
        return "ocloc is not installed (package intel-opencl-icd)"
    if not ctypes.util.find_library("iga64"):
        return "libiga64 is not installed (package libigc1), so nothing can be disassembled"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        library = subprocess.run(["ldconfig", "-p"], text=True, stdout=subprocess.PIPE, check=True).stdout
        (folder / "libiga64.so").symlink_to(re.search(r"=> (\S*libiga64\.so\S*)", library).group(1))
        ocloc = Ocloc(folder)
        if arguments.planted:
            return 1 if planted(ocloc, arguments.root, folder) else 0
        source = embed(arguments.root, folder, "kernels")
        failed = 0
        if arguments.table:
            print("| kernel | registers | SIMD | instructions | mad | spills |\n|---|---|---|---|---|---|")
        for label, defines, divides in configurations():
            faults, figures = audit(ocloc, source, defines, divides)
            failed += bool(faults)
            if arguments.table:
                print(f"| {label} | {' | '.join(figures)} | {'; '.join(faults) or 'none'} |")
            else:
                print(f"{label}: {'; '.join(faults) or 'clean'}")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
