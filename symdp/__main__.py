"""``python -m symdp`` is ``symdp``."""

from symdp.cli.app import guarded

if __name__ == "__main__":
    guarded()
