"""Configuration of the documentation site: Sphinx, MyST and Furo. Build it with `./script/docs`."""

import sys
import tomllib
from importlib.metadata import version as version_of
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

project = "faceup"
author = "the faceup authors"
project_copyright = "the faceup authors, MIT licence"
release = version_of("faceup")
version = ".".join(release.split(".")[:2])
urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
repository = urls["Source"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "docs.extensions.comments",  # comments with the navigation, and with words for the search
    "docs.extensions.rules_reference",  # pictures of cards and dice
    "docs.extensions.python_api",  # signatures as written in the source, with the names of their types
    "docs.extensions.repository_links",  # links to files outside docs/ lead to the repository
    "docs.extensions.mermaid",  # diagrams, drawn in the browser without requests to other sites
    "docs.extensions.openapi",  # the page with every endpoint of the HTTP API
]
exclude_patterns = ["extensions", "_static", "_templates", "drawings/README.md", "contributing"]
source_suffix = {".md": "markdown"}
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of the standard library and of other packages have no page here
suppress_warnings = ["config.cache"]

# Markdown as on GitHub, with headings as anchors.
myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "html_image"]
myst_fence_as_directive = ["mermaid", "rows", "dice", "cards"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# Docstrings: Google style, with single backticks around code.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = False
maximum_signature_line_length = 76
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_attr_annotations = False  # the signature of the class has the types
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

copybutton_exclude = ".linenos, .gp, .go"  # copy commands without prompts and output
copybutton_copy_empty_lines = False
linkcheck_ignore = [r"https?://(localhost|127\.0\.0\.1|192\.168\.)", r"https?://[^/]*example\.(org|com)"]
linkcheck_anchors_ignore_for_url = [r"https://github\.com/"]  # made by scripts on GitHub

html_theme = "furo"
html_title = "faceup"
html_logo = "../src/faceup/web/icon.svg"
html_favicon = "../src/faceup/web/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "_static" / "scorer.js")
html_baseurl = f"{urls['Homepage']}/"
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"
html_theme_options = {
    "source_repository": repository,
    "source_branch": "main",
    "source_directory": "docs/",
    "top_of_page_buttons": ["view", "edit"],
    "footer_icons": [],
    # The colours of the page: src/faceup/web/style.css.
    "light_css_variables": {
        "color-brand-primary": "#0d6b58",
        "color-brand-content": "#0d6b58",
        "color-brand-visited": "#5f4b8b",
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f5f0e6",
        "color-background-hover": "#e9e2d3",
        "color-background-border": "#e2d9c6",
        "color-foreground-primary": "#221f1a",
        "color-foreground-secondary": "#5c554a",
        "color-foreground-muted": "#6f675a",
        "color-code-background": "#f7f3ea",
        "color-api-name": "#0d6b58",
        "color-api-pre-name": "#0d6b58",
        "color-inline-code-background": "#f5f0e6",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6fd3bb",
        "color-brand-content": "#6fd3bb",
        "color-brand-visited": "#c0a6ee",
        "color-background-primary": "#14191a",
        "color-background-secondary": "#1d2425",
        "color-background-hover": "#283132",
        "color-background-border": "#2d3738",
        "color-foreground-primary": "#f2ede2",
        "color-foreground-secondary": "#b3ada0",
        "color-foreground-muted": "#9a948a",
        "color-code-background": "#1d2425",
        "color-api-name": "#6fd3bb",
        "color-api-pre-name": "#6fd3bb",
        "color-inline-code-background": "#283132",
    },
}
