"""Clears a folder, but asks a person before: an example of a client of opentoolbar's gateway.

    python3 clear_build.py build

It deletes nothing: it prints what it would do. Start it in the project's directory.
"""

import argparse
import os
import sys
from pathlib import Path

from config import Config, ConfigError, default_config
from gateway import Gateway, GatewayError, OverdueError, RequestError

APPROVED, FAILED, REQUEST, CONFIG, REJECTED, TIMEOUT, WITHDRAWN, OVERDUE = range(8)


def arguments():
    parser = argparse.ArgumentParser(description="Clears a folder, but asks a person before. It deletes nothing.")
    parser.add_argument("folder", nargs="?", default="build")
    parser.add_argument("--config", type=Path, default=default_config(), help="by `opentoolbar config --output FILE`")
    parser.add_argument("--port", type=int, help="one of the config's; else the main one")
    parser.add_argument("--reason", default="It is stale: the next build makes it anew.")
    parser.add_argument("--timeout-seconds", type=int, default=300, help="how long the person has")
    parser.add_argument("--within", type=float, help="seconds after which this program takes the question back")
    parser.add_argument("--show", action="store_true", help="print what the config and each port say, and ask nobody")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds before the second attempt; then twice that")
    parser.add_argument("--patience", type=float, default=10.0, help="seconds that an answer may take")
    return parser.parse_args()


def show(config, at):
    print(f"opentoolbar {config.version} asks a person by {', '.join(config.workflow)}")
    for port in config.ports.values():
        context = at(port.number).context()  # each port has its own
        print(f"port {port.number}{' (main)' if port.is_main else ''}: {context.role}")
        print(f"  system: {context.system}")
        print(f"  instruction: {context.base_instruction}")
        print(f"  allowed: {'; '.join(context.allowed_actions)}")
        print(f"  asks before anything else: {'yes' if context.verification_required else 'no'}")
    for name, endpoint in config.endpoints.items():
        print(f"{name}: takes {fields(endpoint.request)}, answers {fields(endpoint.response)}")


def fields(body):
    return " ".join(name if name in body.required else f"{name}?" for name in body.fields) or "nothing named"


def clear(gateway, folder, args):
    try:
        files = sorted(os.listdir(folder))
    except OSError as error:
        raise RequestError(f"cannot list {folder}: {error.strerror}") from None
    print(f"role here: {gateway.context().role}")
    action = f"Delete the folder {folder} and all that is in it"
    asked = gateway.ask(action, args.reason, {"files": files}, args.timeout_seconds)
    print(f"{asked.id}: {asked.message}", flush=True)
    # A little longer than the person has, so that it is the gateway that says that time is over.
    within = args.timeout_seconds + 30 if args.within is None else args.within
    answer = gateway.decision(asked, within)
    note = f" Note: {answer.note}" if answer.note else ""
    if answer.status == "approved":
        # Here it would be done: once, and exactly this.
        print(f"approved by {answer.decided_by}.{note}\nwould delete {folder} with {len(files)} entries")
        return APPROVED
    if answer.decided_by == "timeout":
        print(f"rejected: nobody decided in time. {folder} stays; ask again only if it is still needed")
        return TIMEOUT
    if answer.decided_by == "withdrawn":
        print(f"rejected: the question was taken back. {folder} stays")
        return WITHDRAWN
    print(f"rejected by a person: {folder} stays; do not ask for the same again.{note}")
    return REJECTED


def main():
    args = arguments()
    try:
        config = Config.read(args.config)

        def at(port):
            return Gateway(config, port, args.pause, args.patience)

        if args.show:
            show(config, at)
            return APPROVED
        return clear(at(config.main_port if args.port is None else args.port), args.folder, args)
    except OverdueError as error:
        print(f"overdue: {error}. {args.folder} stays")
        return OVERDUE
    except (ConfigError, RequestError, GatewayError) as error:
        print(f"clear_build: {error}", file=sys.stderr)
        return {ConfigError: CONFIG, RequestError: REQUEST, GatewayError: FAILED}[type(error)]


if __name__ == "__main__":
    sys.exit(main())
