"""Site pages: puts the pages at the root of the repository into the site, and mends links.

Code is coloured, and the search finds help for people before what is for programmers.
"""

import json
import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from pygments.formatters import HtmlFormatter

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
HIGHLIGHTING: Final = "css/highlight.css"
BOOSTS: Final = (
    ("use/de/", 2),
    ("rules/de/", 2),
    ("use/", 8),
    ("rules/", 4),
    ("operate/", 4),
    ("adr/", 0.25),
    ("development/", 0.5),
)
"""How much more than others a page counts in the search, by where it stands."""
_LINK: Final = re.compile(r"(!?\[[^\]]*\])\(([^)#:\s]+)(#[^)]*)?\)")


def on_config(config: Any) -> Any:
    """List the records of architecture decisions where the navigation names their folder."""
    records = sorted(path.name for path in (ROOT / "docs" / "adr").glob("0*.md"))
    config.extra_css.append(HIGHLIGHTING)
    for section in config.nav:
        for entry in next(iter(section.values())):
            if entry == {"Architecture decisions": "adr"}:
                pages = ["README.md", *records]
                entry["Architecture decisions"] = [f"adr/{name}" for name in pages]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from elsewhere."""
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    style = HtmlFormatter().get_style_defs(".highlight")
    files.append(File.generated(config, HIGHLIGHTING, content=style))
    return files


def on_post_build(config: Any) -> None:
    """Let the search count pages by `BOOSTS`; its own settings have none."""
    worker = Path(config.site_dir, "search", "worker.js")
    script, plain = worker.read_text(encoding="utf-8"), "this.add(doc);"
    if script.count(plain) != 1:
        raise PluginError("The search of this mkdocs adds its pages in another way.")
    boosts = json.dumps(BOOSTS)
    boost = f'({boosts}.find(([start]) => doc.location.startsWith(start)) || ["", 1])[1]'
    worker.write_text(
        script.replace(plain, f"this.add(doc, {{boost: {boost}}});"), encoding="utf-8"
    )


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links between files of the repository into links between pages of the site.

    A link to a file that is no page, such as a module, becomes its text.
    """
    here = page.file.src_uri
    source = _SOURCES.get(here, f"docs/{here}")

    def mend(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if (ROOT / meant).is_dir():
            meant = f"{meant}/README.md"
        inside = meant.removeprefix("docs/") if meant.startswith("docs/") else None
        found = ELSEWHERE.get(meant, inside)
        if found is None:
            return words.strip("[]")
        return f"{words}({posixpath.relpath(found, posixpath.dirname(here) or '.')}{anchor})"

    return _LINK.sub(mend, markdown)
