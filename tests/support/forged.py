"""Run files that somebody has changed, so well that nothing but an examination can tell."""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

MANIFEST = "manifest.json"


def members_of(run: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(run) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(run: Path, target: Path, changes: Mapping[str, bytes]) -> Path:
    """The run file with other members, and with their hashes."""
    members = {**members_of(run), **changes}
    manifest = json.loads(members.pop(MANIFEST))
    manifest["sha256"] = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in {MANIFEST: json.dumps(manifest).encode(), **members}.items():
            archive.writestr(name, data)
    return target
