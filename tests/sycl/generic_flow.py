"""The intermediate code of AdaptiveCpp's generic flow, which lies in the backend's objects, translated without a device."""
import os
import re
import shutil
import subprocess

LEAST_KERNELS = 9  # of a set: two filters for each of four radii, and one more
APPENDIX = b"__acpp_hcf_binary_appendix"


def embedded_code(path):
    """The container of intermediate code that an object holds, or None: text, then what the text measures."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.find(b"object-id=")
    end = data.find(APPENDIX, start)
    if start < 0 or end < 0:
        return None
    parts = re.findall(rb"start=(\d+)\nsize=(\d+)", data[start:end])
    return data[start:end + len(APPENDIX) + max(int(first) + int(size) for first, size in parts)]


class Translator:
    """AdaptiveCpp's tool for a language, ptx or spirv; whether it is there is to be asked of `tool`."""

    def __init__(self, acpp, folder, language):
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(acpp)))
        tool = os.path.join(prefix, "lib/hipSYCL/llvm-to-backend/llvm-to-%s-tool" % language)
        self.folder = folder
        self.tool = os.path.join(folder, "bin", os.path.basename(tool))
        if os.path.exists(tool):  # it looks for its files beside itself, which is not where it is installed
            os.mkdir(os.path.join(folder, "bin"))
            os.symlink(os.path.join(prefix, "lib"), os.path.join(folder, "lib"))
            shutil.copy(tool, self.tool)
        self.environment = {**os.environ, "ACPP_DEBUG_LEVEL": "0", "LD_LIBRARY_PATH": ":".join(
            (prefix + "/lib", prefix + "/lib/hipSYCL/llvm-to-backend"))}

    def translate(self, path, *options):
        """The translation of an object's code; None where it holds none."""
        code = embedded_code(path)
        if code is None:
            return None
        source, result = os.path.join(self.folder, "code.hcf"), os.path.join(self.folder, "code.out")
        with open(source, "wb") as file:
            file.write(code)
        subprocess.run([self.tool, *options, source, result, "llvm-ir.global"], check=True, env=self.environment)
        with open(result, "rb") as file:
            return file.read()
