"""The functions of the language, one record each; a file in this folder adds its own. **Trusted.**

>>> from symdp.kernel.terms import FUNCTIONS
>>> [name for name, f in FUNCTIONS.items() if f.arity == 2]
['uppergamma', 'binomial']
"""

from importlib import import_module
from pkgutil import iter_modules

from symdp.kernel.functions.record import Function
from symdp.kernel.terms import FUNCTIONS

for _name in sorted(found.name for found in iter_modules(__path__)):
    for _record in vars(import_module(f"{__name__}.{_name}")).values():
        if isinstance(_record, Function) and FUNCTIONS.setdefault(_record.name, _record) is not _record:
            raise ImportError(f"the function {_record.name} has two records")
