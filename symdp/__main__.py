"""``python -m symdp`` is ``symdp``."""

from symdp.cli.app import main

if __name__ == "__main__":
    main()
