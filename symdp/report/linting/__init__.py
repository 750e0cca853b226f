"""What people see of a linted paper: lines in a terminal, SARIF, a page, and the paper with notes in its margin."""
