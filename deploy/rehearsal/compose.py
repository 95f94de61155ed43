"""What compose.yaml says of its services, with its variables filled in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
DEPLOY: Final = ROOT / "deploy"


@dataclass(frozen=True, slots=True)
class Service:
    """One service, as Docker Compose would start it."""

    name: str
    command: list[str]
    environment: dict[str, str]
    volumes: dict[str, str]
    """Folders of a container by the name of the volume that is mounted there."""
    health_check: list[str]
    replicas: int
    restarts: bool


def read_compose(environ: Mapping[str, str]) -> dict[str, Service]:
    """Read compose.yaml with these variables. Raises KeyError for one that it insists on."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    document = _fill_in(yaml.safe_load(text), environ)
    found = {}
    for name, words in document["services"].items():
        mounts = (volume.split(":") for volume in words.get("volumes", ()))
        found[name] = Service(
            name=name,
            command=words.get("command", []),
            # One without a value is that of deploy/.env, which a rehearsal has not.
            environment={
                key: value
                for key, value in words.get("environment", {}).items()
                if value is not None
            },
            volumes={mount[0]: mount[1] for mount in mounts if mount[0] in document["volumes"]},
            health_check=_health_check(words.get("healthcheck", {}).get("test", ["NONE"])),
            replicas=int(words.get("deploy", {}).get("replicas", 1)),
            restarts=words.get("restart") == "unless-stopped",
        )
    return found


def image_environment() -> dict[str, str]:
    """The settings of ours that the image itself has."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    return dict(re.findall(r"\b(PAINSUIT_\w+)=(\S+)", text))


def _health_check(test: list[str]) -> list[str]:
    kind, *words = test
    return {"NONE": [], "CMD": words, "CMD-SHELL": ["sh", "-c", *words]}[kind]


def _fill_in(value: Any, environ: Mapping[str, str]) -> Any:
    """Put variables in: ${NAME}, ${NAME:-default}, ${NAME:?what is missing}; $$ is a $."""
    if isinstance(value, dict):
        return {key: _fill_in(one, environ) for key, one in value.items()}
    if isinstance(value, list):
        return [_fill_in(one, environ) for one in value]
    if not isinstance(value, str):
        return value

    def put(found: re.Match[str]) -> str:
        name, default = found["name"], found["default"]
        if name is None:
            return "$"
        return environ.get(name) or default if default is not None else environ[name]

    return re.sub(r"\$\$|\$\{(?P<name>\w+)(?::-(?P<default>[^}]*)|:\?[^}]*)?\}", put, value)
