"""Leave the solutions of the exercises out of the built pages, for a course that grades them.

`solutions_shown: false` under `sphinx: config:` in `_config.yml` does it. (The option of
sphinx-exercise, `hide_solutions`, stops at solutions that hold cells.)
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_exercise.nodes import solution_node


def leave_out(app: Sphinx, doctree: nodes.document) -> None:
    """Remove every solution, with the cells in it."""
    if not app.config.solutions_shown:
        for solution in list(doctree.findall(solution_node)):
            solution.parent.remove(solution)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_config_value("solutions_shown", default=True, rebuild="env", types=(bool,))
    app.connect("doctree-read", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
