"""A figure with sliders, which is a plain figure where nobody can move them.

>>> import os
>>> os.environ[STILL] = "1"
>>> explore(lambda k, eps: print(k, eps), k=[10, 20, 40], eps=["0.1", "1"])
20 0.1
>>> del os.environ[STILL]
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from ipywidgets import SelectionSlider, interact
from matplotlib import pyplot

#: Set while a notebook is executed to be stored: a stored slider would be dead, and its id random.
STILL = "SYMDP_STILL"


def explore(draw: Callable[..., Any], **choices: Sequence[Any]) -> None:
    """Call ``draw`` with one value of each list: a slider for each, starting in the middle.

    Without ipywidgets, or where the notebook is executed to be stored, it draws once.
    """
    start = {name: values[(len(values) - 1) // 2] for name, values in choices.items()}
    if os.environ.get(STILL) or find_spec("ipywidgets") is None:
        draw(**start)
        return
    def redraw(**values: Any) -> None:
        draw(**values)
        pyplot.show()

    sliders = {name: SelectionSlider(options=[(str(v), v) for v in values], value=start[name],
                                     description=name, continuous_update=False)
               for name, values in choices.items()}
    interact(redraw, **sliders)
