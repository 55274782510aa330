# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the Java front end to a JAR file, so that reading a source doesn't begin with that.

  compile_classes.py JAR JAVAC SOURCE…"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

INTERNAL = [word for name in ("code", "tree") for word in ("--add-exports", f"jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED")]

jar, javac, *sources = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([javac, "-J-XX:TieredStopAtLevel=1", *INTERNAL, "-proc:none", "-nowarn", "-d", folder, *sources], check=True)
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(pathlib.Path(folder).iterdir()):
            file.writestr(zipfile.ZipInfo(path.name), path.read_bytes())
