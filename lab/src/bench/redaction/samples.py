"""Prints so many made-up secrets for every pattern of two kept libraries, as JSON lines: {library, kind, text, secret}.

The patterns stay in the libraries. What they leave open (`.`, `[^"]`) becomes letters, digits and the usual signs of
passwords; blanks are single ones. A sample counts only when the library's own pattern finds it again.
"""

import importlib.util
import json
import pathlib
import pkgutil
import random
import re
import string
import sys
import warnings

import yaml
from rstr.xeger import Xeger

SAMPLES = int(sys.argv[1])
TRIES = 100 * SAMPLES
LONGEST_REPEAT = 24
# From here on a repetition has no end.
OPEN = 1_000
VISIBLE = string.ascii_letters * 3 + string.digits * 3 + "!#$%+.-_@*"


class Generator(Xeger):
    def __init__(self, seed):
        super().__init__(random.Random(seed))
        self._cases = {
            **self._cases,
            "any": lambda _: self._random.choice(VISIBLE),
            "groupref_exists": self._conditional,
            # What must not stand there: left to the check with the pattern itself.
            "assert": lambda _: "",
        }

        self._categories = {**self._categories, "category_space": lambda: " "}

    def _conditional(self, value):
        group, yes, no = value
        return "".join(self._handle_state(each) for each in (yes if self._cache.get(group) else no or []))

    def _handle_in(self, value):
        negated = value and value[0][0].name == "NEGATE"
        characters = set()
        for each in value[1:] if negated else value:
            some = self._handle_state(each)
            characters.update(some)
        if not negated:
            # One sort of blank, as texts have it.
            return " " if "".join(characters).isspace() else self._random.choice(sorted(characters))
        return self._random.choice([each for each in VISIBLE if each not in characters])

    def _handle_repeat(self, least, most, value):
        shortest, longest = least, min(int(most), max(least, LONGEST_REPEAT))
        if int(most) >= OPEN and least > 0:
            # As long as such things are, not as short as the pattern lets pass.
            shortest, longest = least + 8, least + LONGEST_REPEAT
        elif int(most) >= OPEN:
            shortest, longest = 0, 0 if value[0][0].name == "ANY" else 1
        times = self._random.randint(shortest, longest)
        pieces = ["".join(self._handle_state(each) for each in value) for _ in range(times)]
        if "".join(pieces).isspace():
            pieces = pieces[: max(least, 1)]
        return "".join(pieces)


def secret_in(pattern, text):
    """What `pattern` says the secret is."""
    match = pattern.search(text)
    if not match:
        return None
    named = match.groupdict().get("value")
    if named is not None:
        return named
    return next((each for each in match.groups() if each), match[0])


def samples(seed, pattern):
    """(text, secret) pairs; where the secret is known by itself, the text is the secret alone."""
    pattern = re.compile(pattern) if isinstance(pattern, str) else pattern
    generator = Generator(seed)
    by_itself = "value" in pattern.groupindex and not {"variable", "separator"} & set(pattern.groupindex)
    found = []
    for _ in range(TRIES):
        if len(found) == SAMPLES:
            break
        try:
            text = generator.xeger(pattern)
        except (KeyError, IndexError, ValueError):
            continue
        finally:
            generator._cache.clear()
        secret = secret_in(pattern, text)
        if not secret:
            continue
        if by_itself:
            text = secret
        elif "variable" in pattern.groupindex:
            # From the name on: what may stand before it is no part of either.
            text = text[max(0, pattern.search(text).start("variable")) :]
        if secret_in(pattern, text) != secret:
            continue
        found.append((text, secret))
    return found


def credsweeper():
    # Found, not imported: nothing but the rules is of use here.
    package = importlib.util.find_spec("credsweeper").submodule_search_locations[0]
    path = pathlib.Path(package) / "rules" / "config.yaml"
    for rule in yaml.safe_load(path.read_text()):
        # By the library's own word `info` is no credential. A `keyword` is a name without a pattern for its value, and rules for
        # documents alone take nearly any word after a name and leave the decision to the library's model.
        if rule["severity"] == "info" or rule["type"] == "keyword" or rule["target"] == ["doc"]:
            continue
        made = []
        if rule["type"] == "pem_key":
            made = [(f"{head}\n{body}\n{head.replace('BEGIN', 'END')}", body) for head, body in pem(rule)]
        elif rule["type"] == "multi":
            # Two patterns that stand on lines beside each other: the second is the secret.
            first = samples(rule["name"], rule["values"][0])
            second = samples(rule["name"], rule["values"][1])
            made = [(f"{one}\n{two}", secret) for (one, _), (two, secret) in zip(first, second)]
        else:
            for value in rule["values"]:
                made += samples(rule["name"], value)
        yield rule["name"], made


def pem(rule):
    generator = Generator("pem")
    letters = string.ascii_letters + string.digits + "+/"
    for _ in range(SAMPLES):
        head = f"-----BEGIN {generator._random.choice(['', 'RSA ', 'EC ', 'OPENSSH '])}PRIVATE KEY-----"
        lines = ["".join(generator._random.choices(letters, k=64)) for _ in range(8)]
        assert re.search(rule["values"][0], head)
        yield head, "\n".join(lines)


def detect_secrets():
    import detect_secrets.plugins as plugins

    for module in pkgutil.iter_modules(plugins.__path__):
        module = importlib.import_module(f"detect_secrets.plugins.{module.name}")
        for name, detector in sorted(vars(module).items()):
            if not isinstance(detector, type) or detector.__module__ != module.__name__:
                continue
            if getattr(detector, "__abstractmethods__", None) or not hasattr(detector, "secret_type"):
                continue
            yield name, list(of_detector(module, name, detector))


def of_detector(module, name, detector):
    generator = Generator(name)
    if "HighEntropy" in name:
        letters = string.hexdigits.lower()[:16] if "Hex" in name else string.ascii_letters + string.digits + "+/"
        for _ in range(SAMPLES):
            secret = "".join(generator._random.choices(letters, k=40))
            yield f'"{secret}"', secret
    elif name == "KeywordDetector":
        for word in module.DENYLIST:
            for _ in range(2):
                secret = "".join(generator._random.choices(string.ascii_letters + string.digits, k=14))
                yield f'{generator.xeger(word)} = "{secret}"', secret
    else:
        for pattern in detector.denylist:
            yield from samples(name, pattern)


def main():
    warnings.simplefilter("ignore")
    for library, kinds in (("credsweeper", credsweeper()), ("detect-secrets", detect_secrets())):
        for kind, made in kinds:
            for text, secret in made:
                print(json.dumps({"library": library, "kind": kind, "text": text, "secret": secret}))
            if not made:
                print(json.dumps({"library": library, "kind": kind}))


sys.exit(main())
