"""Site pages: puts the pages at the root of the repository into the site, and mends links."""

import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).resolve().parent.parent
ELSEWHERE: Final = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "development/architecture.md",
    "CONTRIBUTING.md": "development/contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "deploy/README.md": "deploy.md",
}
"""Pages outside docs/, by their path in the repository, and where the site has them."""
_SOURCES: Final = {page: source for source, page in ELSEWHERE.items()}
_LINK: Final = re.compile(r"(!?\[[^\]]*\])\(([^)#:\s]+)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """List the records of architecture decisions where the navigation names their folder."""
    records = sorted(path.name for path in (ROOT / "docs" / "adr").glob("*.md"))
    for section in config.nav:
        for entry in next(iter(section.values())):
            if entry == {"Architecture decisions": "adr"}:
                entry["Architecture decisions"] = [f"adr/{name}" for name in records]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from elsewhere."""
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links between files of the repository into links between pages of the site.

    A link to a file that is no page, such as a module, becomes its text.
    """
    here = page.file.src_uri
    source = _SOURCES.get(here, f"docs/{here}")

    def mend(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        inside = meant.removeprefix("docs/") if meant.startswith("docs/") else None
        found = ELSEWHERE.get(meant, inside)
        if found is None:
            return words.strip("[]")
        return f"{words}({posixpath.relpath(found, posixpath.dirname(here) or '.')}{anchor})"

    return _LINK.sub(mend, markdown)
