"""The documentation as a site: no dead link, coloured code, and help before decisions."""

import json
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """The links of a page, and the places in it that links may lead to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {"", "main"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.add(values.get("id", ""))
        self.links += [values[name] for name in ("href", "src") if name in values]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    return folder


def dead_links(site: Path) -> Iterator[str]:
    pages = {path: Page(path) for path in site.rglob("*.html") if path.name != "404.html"}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if to.is_dir():
                yield f"{path.relative_to(site)}: {link} is a folder"
            elif not to.exists():
                yield f"{path.relative_to(site)}: {link}"
            elif to in pages and unquote(parts.fragment) not in pages[to].anchors:
                yield f"{path.relative_to(site)}: {link} (no such place)"


def test_no_link_of_the_site_is_dead(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_code_is_coloured(site: Path) -> None:
    page = (site / "webhooks.html").read_text(encoding="utf-8")
    assert '<span class="kn">import</span>' in page
    assert 'href="css/highlight.css"' in page
    assert ".highlight .kn" in (site / "css" / "highlight.css").read_text(encoding="utf-8")


def test_the_search_counts_help_for_more_than_decisions(site: Path) -> None:
    script = (site / "search" / "worker.js").read_text(encoding="utf-8")
    (start,) = [line for line in script.splitlines() if "this.add(doc" in line]
    boosts = dict(json.loads(start[start.index("[[") : start.index("]]") + 2]))
    assert boosts["use/"] > boosts["rules/"] > 1 > boosts["development/"] > boosts["adr/"]


def test_every_decision_is_listed(site: Path) -> None:
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "adr").glob("0*.md"):
        title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").strip()
        assert f"- [{title}]({path.name})" in index
    assert (site / "adr" / "index.html").is_file()
