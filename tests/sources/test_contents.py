"""The table of contents that is kept says what the literature says, and `symdp list` needs no more than it."""

import json
import subprocess
import sys

from symdp.sources import contents


def test_the_table_that_is_kept_is_that_of_the_literature(monkeypatch):
    kept = json.loads(contents.TABLE.read_text(encoding="utf-8"))
    assert kept["digest"] == contents.digest(), "the literature has changed; run `make contents`"
    monkeypatch.delenv("SYMDP_LITERATURE", raising=False)
    assert contents.contents() == contents.read()


def test_a_list_is_printed_without_sympy(monkeypatch):
    monkeypatch.delenv("SYMDP_LITERATURE", raising=False)
    code = "import sys; from symdp.cli.app import main\ntry: main(['list'])\nfinally: print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "kov/thm-3.4" in done.stdout
    assert done.stdout.strip().endswith("False")


def test_a_table_that_is_out_of_date_is_not_used(monkeypatch, tmp_path):
    kept = json.loads(contents.TABLE.read_text(encoding="utf-8"))
    path = tmp_path / "contents.json"
    monkeypatch.setattr(contents, "TABLE", path)
    monkeypatch.setattr(contents, "read", lambda: "read anew")
    assert contents.contents() == "read anew"
    path.write_text(json.dumps({**kept, "digest": "0"}))
    assert contents.contents() == "read anew"
    path.write_text(json.dumps(kept))
    assert contents.contents() != "read anew"
