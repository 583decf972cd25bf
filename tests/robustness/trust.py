#!/usr/bin/env python3
"""What a user must be able to trust: hardened binaries, modules of this build only, no file touched but the report, no
environment variable looked at.

    trust.py VQX LIBVQX MODULES FOREIGN MAKECLIP SCRATCH
"""
import glob
import os
import re
import shutil
import subprocess
import sys

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_hardening(path, program):
    """Relocations read-only, symbols bound at the start, no executable stack, position-independent, stack protector."""
    name = os.path.basename(path)
    headers, dynamic = output("readelf", "-lhW", path), output("readelf", "-dW", path)
    symbols = output("nm", "-D", "--undefined-only", path)
    stack = re.search(r"GNU_STACK.* (R\w*) +0x", headers)
    check("GNU_RELRO" in headers, name + ": no RELRO")
    check(re.search(r"\bBIND_NOW\b|\bNOW\b", dynamic), name + ": symbols are not bound at the start")
    check(stack and stack[1] == "RW", name + ": the stack can be executed")
    check("Type:                              DYN" in headers, name + ": is not position-independent")
    check(not re.search(r"TEXTREL|R(UN)?PATH", dynamic) or not program, name + ": text relocations or a run path")
    check("__stack_chk_fail" in symbols, name + ": no stack protector")
    check(re.search(r"\w_chk\b", symbols.replace("__stack_chk_fail", "")), name + ": nothing is fortified")
    print("%s: RELRO, BIND_NOW, NX, PIE, stack protector, fortified calls looked for" % name)


def check_imports(path):
    """Neither the environment nor a shell: what loads code is the module folder alone."""
    imported = set(re.findall(r" U (\w+)", output("nm", "-D", "--undefined-only", path)))
    bad = imported & {"getenv", "secure_getenv", "__environ", "environ", "system", "popen", "execl", "execlp", "execv",
                      "execve", "execvp", "gets", "sprintf", "tmpnam", "mktemp"}
    check(not bad, "%s imports %s" % (os.path.basename(path), ", ".join(sorted(bad))))


def run(vqx, *arguments, **more):
    return subprocess.run([vqx, *arguments], capture_output=True, text=True, errors="replace", **more)


def check_modules(vqx, foreign, scratch, pair):
    """A module of another ABI, one that is no library, one without the entry: each is refused with a sentence."""
    kinds = {"foreign": lambda path: shutil.copy(foreign, path),
             "text": lambda path: open(path, "w", encoding="ascii").write("not a library"),
             "libc": lambda path: shutil.copy(re.search(r"=> (\S+libm\.so\S*)", output("ldd", vqx))[1], path)}
    for name, make in kinds.items():
        folder = os.path.join(scratch, "modules-" + name)
        os.makedirs(folder, exist_ok=True)
        make(os.path.join(folder, "libvqx-sycl.so"))
        done = run(vqx, *pair, "--backend", "sycl", "--modules", folder)
        check(done.returncode == 5 and "module" in done.stderr, "%s module: %d %s" % (name, done.returncode, done.stderr))
        listed = run(vqx, "devices", "--modules", folder)
        check(listed.returncode == 0 and re.search("sycl.*not available", listed.stdout), name + " module is listed")
        done = run(vqx, *pair, "--modules", folder, "-q", "-o", os.path.join(scratch, "auto.json"))
        check(done.returncode == 0, "auto does not pass over the %s module: %s" % (name, done.stderr))
        print("%s module: refused" % name)


def check_writes(vqx, modules, scratch, pair):
    """Opens for writing, makes, renames and removes nothing but the report and its temporary name. With the CPU: the drivers
    of other devices keep caches of their own as soon as they are asked for their devices (PoCL in ~/.cache)."""
    report, log = os.path.join(scratch, "report.json"), os.path.join(scratch, "strace.log")
    command = [vqx, "--modules", modules, "--backend", "cpu", *pair, "-o", report]
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], check=False,
                                                    capture_output=True).returncode:
        print("strace is not there or may not trace: files written were not watched")
    else:
        subprocess.run(["strace", "-f", "-o", log, "-e", "trace=%file,socket,connect", *command], check=True,
                       capture_output=True)
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        changing = [line for line in lines if re.search(
            r"O_WRONLY|O_RDWR|O_CREAT|\b(rename|unlink|mkdir|link|symlink|chmod|chown|truncate|mknod|creat|socket|connect)"
            r"\w*\(", line)]
        other = [line for line in changing if report not in line and "/dev/null" not in line and "/dev/nvidia" not in line]
        check(not other, "touched more than the report: " + "; ".join(other[:3]))
        check(len(changing) >= 2, "strace saw no report")
        print("strace: %d file calls, %d of them change something, all of them the report" % (len(lines), len(changing)))
    folder = os.path.join(scratch, "read-only")
    os.makedirs(folder, exist_ok=True)
    before = sorted(os.listdir(folder))
    done = run(*command, "-q", cwd=folder,
               env={"HOME": folder, "TMPDIR": folder, "XDG_CACHE_HOME": folder, "PATH": "/nowhere"})
    check(done.returncode == 0 and sorted(os.listdir(folder)) == before, "wrote into the working folder or the home folder")


def main():
    vqx, library, modules, foreign, makeclip, scratch = map(os.path.abspath, sys.argv[1:])
    for tool in ("readelf", "nm", "ldd"):
        if not shutil.which(tool):
            print("no %s on this machine" % tool)
            return 77
    os.makedirs(scratch, exist_ok=True)
    pair = [os.path.join(scratch, side + ".y4m") for side in ("ref", "dis")]
    subprocess.run([makeclip, "texture", "blur", "32", "32", "8", "2", "1", *pair], check=True)
    check_hardening(vqx, True)
    for path in [library, *glob.glob(os.path.join(modules, "*.so"))]:
        check_hardening(path, False)
    check_imports(vqx)
    check_imports(library)
    check_modules(vqx, foreign, scratch, pair)
    check_writes(vqx, modules, scratch, pair)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
