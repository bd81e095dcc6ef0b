"""A small client of opentoolbar's gateway: questions to a person. Python 3.11, standard library only."""

import http.client
import json
import re
import time
from dataclasses import dataclass

from config import Misfit, part, texts

ATTEMPTS = 5  # of one request
LONGEST_PAUSE = 60  # seconds
MAX_ANSWER = 1024 * 1024  # bytes
TIMEOUT_SECONDS = (5, 86_400)  # unless the config's format says another range


class RequestError(Exception):
    """What was to be asked does not fit. It was not sent."""


class GatewayError(Exception):
    """The gateway refuses, does not answer, or is something else."""


class OverdueError(Exception):
    """Nobody decided before our own deadline. The question is taken back."""


class _TryAgain(Exception):
    def __init__(self, why, after=None):
        super().__init__(why)
        self.after = after  # seconds, if the server says


@dataclass(frozen=True)
class Context:
    """What an agent is told at one port. Another port tells something else."""

    system: str
    role: str
    base_instruction: str
    allowed_actions: list[str]
    verification_required: bool


@dataclass(frozen=True)
class Verification:
    id: str
    status: str  # pending, approved or rejected
    message: str
    decided_by: str | None  # person, rule, timeout or withdrawn
    note: str | None


def _json(value):
    """Without spaces, as the gateway counts it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Gateway:
    """One port of the gateway. `pause`: seconds before the second attempt; `patience`: seconds for an answer."""

    def __init__(self, config, port, pause=0.5, patience=10.0):
        if port not in config.ports:
            raise RequestError(f"port {port} is none of the config's: {', '.join(map(str, config.ports))}")
        self._config, self._port, self._pause, self._patience = config, port, pause, patience
        self._is_opentoolbar = False

    def context(self):
        try:
            answer = self._call("GET", "/context")
            system, role, instruction = (
                self._plain(part(answer, name, str)) for name in ("system", "role", "base_instruction")
            )
            actions = [self._plain(action) for action in texts(answer, "allowed_actions")]
            return Context(system, role, instruction, actions, part(answer, "verification_required", bool))
        except Misfit as error:
            raise GatewayError(f"GET /context answered something else: {error}") from None

    def ask(self, action, reason, context=None, timeout_seconds=300):
        """Asks a person. Sent twice it is the same question while it waits, so that it may be tried again."""
        given = {"action": action, "reason": reason, "context": context, "timeout_seconds": timeout_seconds}
        request = {name: value for name, value in given.items() if value is not None}
        self._check(request)
        return self._verification("POST", "/verify", request)

    def get(self, asked, wait=0):
        """How it stands, at once or, while it is pending, up to `wait` seconds later."""
        return self._verification("GET", f"/verify/{asked.id}?wait={wait}", wait=wait, id=asked.id)

    def decision(self, asked, within):
        """Waits for the answer, at most so many seconds; then the question is taken back."""
        deadline = time.monotonic() + within
        while asked.status == "pending":
            left = deadline - time.monotonic()
            if left <= 0:
                return self._take_back(asked)
            asked = self.get(asked, wait=min(self._config.limits["wait_seconds"], int(left) + 1))
            if asked.status == "pending":
                time.sleep(self._pause)  # a server that does not wait is not asked without end
        return asked

    def _take_back(self, asked):
        # Refused when it was decided meanwhile: then that counts.
        taken = self._verification("DELETE", f"/verify/{asked.id}", id=asked.id, or_conflict=True)
        if taken is not None:
            raise OverdueError("nobody decided in the time that this program has: the question is taken back")
        return self.get(asked)

    def _check(self, request):
        """What the gateway would refuse is not sent."""
        limits, asked = self._config.limits, self._config.endpoints["POST /verify"].request
        odd = [name for name in request if name not in asked.fields]
        absent = [name for name in asked.required if name not in request]
        if odd or absent:
            raise RequestError(f"`{(odd + absent)[0]}` is not as the config's format of POST /verify says")
        for name in ("action", "reason"):
            text, most = request.get(name), limits[f"{name}_characters"]
            if not isinstance(text, str) or not text.strip() or len(text) > most:
                raise RequestError(f"`{name}` must have 1 to {most} characters")
        context = request.get("context", "")
        try:
            size = len((context if isinstance(context, str) else _json(context)).encode())
            _json(request).encode()
        except (TypeError, ValueError):  # a lone surrogate, as of a file's name that is not Unicode, is a ValueError
            raise RequestError("it cannot be said in JSON") from None
        if size > limits["context_bytes"]:
            raise RequestError(f"`context` has {size} bytes, at most {limits['context_bytes']} are taken")
        least, most = asked.ranges.get("timeout_seconds", TIMEOUT_SECONDS)
        seconds = request.get("timeout_seconds", least)
        if not isinstance(seconds, int) or not least <= seconds <= most:
            raise RequestError(f"`timeout_seconds` must be from {least} to {most}")

    def _verification(self, method, path, body=None, wait=0, id=None, or_conflict=False):
        answer = self._call(method, path, body, wait, or_conflict)
        if answer is None:
            return None
        try:
            found, status, message = (part(answer, name, str) for name in ("verification_id", "status", "message"))
            by, note = (answer.get(name) and self._plain(part(answer, name, str)) for name in ("decided_by", "note"))
        except Misfit as error:
            raise GatewayError(f"{method} {path} answered something else: {error}") from None
        deciders = {"pending": (None,), "approved": ("person", "rule"), "rejected": ("person", "timeout", "withdrawn")}
        if by not in deciders.get(status, ()):
            raise GatewayError(f"{method} {path} answered something else: `status` and `decided_by` do not fit")
        if id not in (None, found) or not re.fullmatch("[A-Za-z0-9_-]{1,64}", found):
            raise GatewayError(f"{method} {path} answered with another `verification_id`")
        return Verification(found, status, self._plain(message), by, note)

    def _call(self, method, path, body=None, wait=0, or_conflict=False):
        """One request with its retries. None: a conflict that the caller expects."""
        pause = self._pause
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._make_sure()
                status, answer = self._exchange(method, path, body, wait, with_token=True)
                break
            except (OSError, http.client.HTTPException, _TryAgain) as error:
                # Whoever answers next may be another program: it is asked anew before it sees the token.
                self._is_opentoolbar = False
                why = self._plain(str(error) or type(error).__name__)
                after = getattr(error, "after", None)
                if after is not None and after > LONGEST_PAUSE:
                    raise GatewayError(f"{method} {path}: gave up, {after} s are too long to wait: {why}") from None
                if attempt == ATTEMPTS:
                    raise GatewayError(f"{method} {path}: gave up after {ATTEMPTS} attempts: {why}") from None
                time.sleep(pause if after is None else after)
                pause = min(pause * 2, LONGEST_PAUSE)
        if status == 409 and or_conflict:
            return None
        if 300 <= status < 400:
            raise GatewayError(f"{method} {path}: {status}; a redirect is not followed, it could lead the token away")
        if status != 200:
            # 404 and its like stay what they are, however often one asks.
            raise GatewayError(f"{method} {path}: {status} {self._reason(answer)}")
        if not isinstance(answer, dict):
            raise GatewayError(f"{method} {path} answered something else: no JSON object")
        return answer

    def _make_sure(self):
        """That it is opentoolbar which has the port, before the token is sent there."""
        if self._is_opentoolbar:
            return
        status, answer = self._exchange("GET", "/health")
        if status != 200 or not isinstance(answer, dict) or answer.get("name") != "opentoolbar":
            raise GatewayError(f"port {self._port} is not opentoolbar's: another program has it")
        self._is_opentoolbar = True

    def _exchange(self, method, path, body=None, wait=0, with_token=False):
        """Sends one request. `http.client` knows no proxies and follows no redirects; either could see the token."""
        headers = {"User-Agent": "opentoolbar-example-python/1", "Accept": "application/json"}
        if with_token:
            headers["Authorization"] = f"Bearer {self._config.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = _json(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=wait + self._patience)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            status, raw = response.status, response.read(MAX_ANSWER)
        finally:
            connection.close()
        try:
            answer = json.loads(raw)
        except (ValueError, RecursionError):
            answer = None
        if status == 429:
            after = response.getheader("Retry-After", "")
            raise _TryAgain(f"429 {self._reason(answer)}", int(after) if re.fullmatch("[0-9]{1,6}", after) else None)
        if status >= 500:
            raise _TryAgain(f"{status} {self._reason(answer)}")
        return status, answer

    def _reason(self, answer):
        said = answer if isinstance(answer, dict) else {}
        words = [str(said.get(name, "")) for name in ("message", "nextStep")]
        return self._plain(". ".join(word for word in words if word)) or "without a reason"

    def _plain(self, text):
        """As it may be printed: the other side could send the token back, or what a terminal obeys."""
        text = text.replace(self._config.token, "(token)")
        return "".join(letter if letter.isprintable() else " " for letter in text)
