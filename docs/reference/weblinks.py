# SPDX-License-Identifier: LGPL-2.1-or-later
"""Links of web pages in a folder that lead nowhere: to files or places that are not there.  What lies elsewhere is not asked."""
import html.parser
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places |= {attributes[key] for key in ("id", "name") if attributes.get(key)}
        self.links += [attributes[key] for key in ("href", "src") if attributes.get(key)]


def find_broken(folder):
    """Errors, as lines"""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    errors = []
    for path, page in pages.items():
        for link in sorted(set(page.links)):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or link.startswith("//"):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                errors.append(f"{path.relative_to(folder.resolve())}: no such page: {link}")
            elif parts.fragment and target in pages and parts.fragment not in pages[target].places:
                errors.append(f"{path.relative_to(folder.resolve())}: no such place: {link}")
    return errors
