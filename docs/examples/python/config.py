"""The config of opentoolbar's gateway, as `opentoolbar config --output FILE` writes it: read, checked, kept secret."""

import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path

NEEDED = ("GET /health", "GET /context", "POST /verify", "GET /verify/{id}", "DELETE /verify/{id}")
LIMITS = ("action_characters", "reason_characters", "context_bytes", "wait_seconds")


class ConfigError(Exception):
    """The config file cannot be used. Nothing was sent."""


class Misfit(Exception):
    """Names the part of a JSON value that is missing or wrong, and never its content: that may be the token."""


def part(value, path, kind):
    """The part at `path`, as `ports.0.url`, which must be of this type."""
    for step in path.split("."):
        try:
            value = value[int(step) if isinstance(value, list) else step]
        except (KeyError, IndexError, TypeError, ValueError):
            raise Misfit(f"`{path}` is missing") from None
    # To Python True is an int.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Misfit(f"`{path}` is not of type {kind.__name__}")
    return value


def texts(value, path):
    return [part(value, f"{path}.{at}", str) for at in range(len(part(value, path, list)))]


@dataclass(frozen=True)
class Port:
    number: int
    role: str
    is_main: bool


@dataclass(frozen=True)
class Format:
    """Fields of a body, those of them that must be there, and the least and the most that a number may be."""

    fields: tuple = ()
    required: tuple = ()
    ranges: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Endpoint:
    request: Format
    response: Format


@dataclass(frozen=True)
class Config:
    """What `opentoolbar config --output FILE` writes."""

    version: str
    ports: dict[int, Port]
    endpoints: dict[str, Endpoint]  # by method and path: `GET /context`
    workflow: list[str]
    limits: dict[str, int]
    token: str = field(repr=False)  # in no log and no traceback

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                # Of the open file: what has the name may be another one a moment later. Windows has no such modes.
                mode = os.fstat(file.fileno()).st_mode
                if os.name != "nt" and stat.S_IMODE(mode) & 0o077:
                    raise ConfigError(f"{path} can be read by others, and it holds the token: run `chmod 600 {path}`")
                text = file.read()
        except OSError as error:
            raise ConfigError(
                f"cannot read {path}: {error.strerror}. Make it by `opentoolbar config --output {path}`"
            ) from None
        except UnicodeDecodeError:
            raise ConfigError(f"{path} is not UTF-8") from None
        try:
            return cls.parse(json.loads(text))
        except Misfit as error:
            raise ConfigError(f"{path}: {error}. Write it anew by `opentoolbar config --output {path}`") from None
        except (ValueError, RecursionError) as error:
            # `from None`: the error below holds the whole text, and with it the token.
            where = f": line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise ConfigError(f"{path} is not JSON{where}") from None

    @classmethod
    def parse(cls, value):
        if part(value, "name", str) != "opentoolbar":
            raise Misfit("`name` is not opentoolbar")
        if part(value, "authentication.scheme", str) != "Bearer":
            raise Misfit("`authentication.scheme` is not Bearer")
        # What the panel saves in a browser that is paired has no token.
        token = part(value, "authentication.token", str)
        if not re.fullmatch(r"[A-Za-z0-9._~+/=-]{16,512}", token):
            raise Misfit("`authentication.token` is no token")
        ports = {}
        for at in range(len(part(value, "ports", list))):
            number = part(value, f"ports.{at}.port", int)
            # Written so by every gateway. Anything else would take the token off this machine.
            if part(value, f"ports.{at}.url", str) != f"http://127.0.0.1:{number}" or not 0 < number < 65536:
                raise Misfit(f"`ports.{at}.url` is not http://127.0.0.1 with that entry's port")
            role, is_main = part(value, f"ports.{at}.role", str), part(value, f"ports.{at}.is_main", bool)
            ports[number] = Port(number, role, is_main)
        if sum(port.is_main for port in ports.values()) != 1:
            raise Misfit("`ports` has not exactly one main port")
        endpoints = {}
        for at in range(len(part(value, "endpoints", list))):
            name = f"{part(value, f'endpoints.{at}.method', str)} {part(value, f'endpoints.{at}.path', str)}"
            formats = (_format(value, f"endpoints.{at}.{of}.body") for of in ("request", "response"))
            endpoints[name] = Endpoint(*formats)
        for name in NEEDED:
            if name not in endpoints:
                raise Misfit(f"`endpoints` has no {name}")
        if not part(value, "verification_workflow.available", bool):
            raise Misfit("`verification_workflow.available` is false: nobody can be asked here")
        limits = {name: part(value, f"limits.{name}", int) for name in LIMITS}
        if min(limits.values()) < 1:
            raise Misfit("`limits` has one below 1")
        workflow = texts(value, "verification_workflow.endpoints")
        return cls(part(value, "version", str), ports, endpoints, workflow, limits, token)

    @property
    def main_port(self):
        return next(port.number for port in self.ports.values() if port.is_main)


def _format(value, path):
    if part(value, path, object) is None:
        return Format()
    schema = part(value, f"{path}.schema", object)
    if not isinstance(schema, dict) or "properties" not in schema:
        return Format()
    required = texts(value, f"{path}.schema.required") if "required" in schema else ()
    properties = part(value, f"{path}.schema.properties", dict)
    known = {name: one for name, one in properties.items() if isinstance(one, dict)}
    ends = {name: (one.get("minimum"), one.get("maximum")) for name, one in known.items()}
    ranges = {name: pair for name, pair in ends.items() if all(isinstance(end, int) for end in pair)}
    return Format(tuple(properties), tuple(required), ranges)


def default_config():
    return Path(os.environ.get("OPENTOOLBAR_HOME") or Path.home() / ".opentoolbar") / "gateway.json"
