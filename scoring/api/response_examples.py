"""Examples of the answers in the OpenAPI document, recorded from a test of the whole API.

docs/development/testing.md says how they are recorded anew.
"""

import json
from pathlib import Path
from typing import Any, Final

EXAMPLES_FILE: Final = Path(__file__).with_name("response_examples.json")


def add_response_examples(result: Any, **_generator: object) -> Any:
    """Give each JSON answer its example, if one was recorded; a hook."""
    examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    for path, item in result["paths"].items():
        for method, operation in item.items():
            for status, response in operation["responses"].items():
                key = f"{method.upper()} {path} {status}"
                if key in examples:
                    response["content"]["application/json"]["example"] = examples[key]
    return result
