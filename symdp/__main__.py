"""``python -m symdp`` is ``symdp``."""

from symdp.cli import main

if __name__ == "__main__":
    main()
