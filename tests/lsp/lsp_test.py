"""`fermiac lsp` as an editor uses it, over JSON-RPC. Usage: lsp_test.py FERMIAC"""
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import Client, ResponseError  # noqa: E402

FERMIAC = ""
URI = "file:///nowhere/model.stan"
MODEL = """functions {
  // Sum of squares.
  real energy(vector x, data real scale) {
    return dot_self(x) / scale;
  }
  real hill_lpdf(real y, real top) {
    return -square(y - top);
  }
}
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu; // 𝛼 is two units
  real<lower=0> sigma;
}
model {
  /* 𝛼𝛽 */ mu ~ hill(1.5);
  for (n in 1 : N) {
    y[n] ~ normal(mu, sigma);
  }
  target += energy(y, 2.0) + hill_lupdf(mu | 2);
}
"""


def line_of(text, part):
    before = text[: text.index(part)]
    line = before.count("\n")
    last = before.rsplit("\n", 1)[-1]
    return line, len(last.encode("utf-16-le")) // 2


def applied(text, edits):
    """The text with the edits of the protocol in it."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place):
        line = lines[place["line"]]
        units = line.encode("utf-16-le")[: 2 * place["character"]].decode("utf-16-le")
        return starts[place["line"]] + len(units)

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


class Served(unittest.TestCase):
    def setUp(self):
        self.client = Client([FERMIAC, "lsp"])
        self.capabilities = self.client.start()

    def tearDown(self):
        if self.client.process.poll() is None:
            self.client.process.kill()
        self.client.process.wait()
        self.client.process.stdin.close()
        self.client.process.stdout.close()

    def place(self, part, into=0, text=MODEL):
        line, character = line_of(text, part)
        return line, character + into

    def labels(self, line, character, uri=URI):
        return [item["label"] for item in self.client.at("completion", uri, line, character)["items"]]


class Features(Served):
    def setUp(self):
        super().setUp()
        self.first = self.client.open(URI, MODEL)

    def test_a_good_program_has_no_diagnostics(self):
        self.assertEqual(self.first, [])
        self.assertEqual(self.client.stop(), 0)

    def test_hover(self):
        value = self.client.at("hover", URI, *self.place("sigma);"))["contents"]["value"]
        self.assertIn("real<lower=0> sigma", value)
        self.assertIn("`parameters`", value)
        function = self.client.at("hover", URI, *self.place("energy(y"))
        self.assertIn("real energy(vector x, data real scale)", function["contents"]["value"])
        self.assertIn("Sum of squares.", function["contents"]["value"])
        builtin = self.client.at("hover", URI, *self.place("normal(mu"))["contents"]["value"]
        self.assertIn("`mu`", builtin)
        self.assertIn("normal_lpdf", builtin)
        self.assertIn("dot_self(vector) => real", self.client.at("hover", URI, *self.place("dot_self"))["contents"]["value"])
        self.assertIsNone(self.client.at("hover", URI, *self.place("{")))

    def test_hover_behind_characters_of_two_units(self):
        line, character = self.place("mu ~ hill")
        found = self.client.at("hover", URI, line, character)
        self.assertEqual(found["range"], {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + 2}})

    def test_completion(self):
        line, character = self.place("y[n] ~ normal")
        labels = self.labels(line, character)
        for name in ["N", "y", "mu", "sigma", "n", "energy", "normal_lpdf", "reduce_sum", "for", "real"]:
            self.assertIn(name, labels)
        self.assertNotIn("x", labels)  # of the function
        self.assertIn("hill", self.labels(*self.place("normal(mu")))
        self.assertIn("generated quantities", self.labels(MODEL.count("\n"), 0))
        self.assertIsNone(self.client.at("completion", URI, *self.place("two units")))

    def test_completion_of_bounds(self):
        for text in ["parameters { real<lo", "parameters { vector<lower=0, up", "data { array[3] int<"]:
            found = self.client.open("file:///nowhere/bound.stan", text) and self.client.at("completion", "file:///nowhere/bound.stan", 0, len(text))
            self.assertTrue({item["label"] for item in found["items"]} <= {"lower", "upper", "offset", "multiplier"}, text)
            self.assertTrue(found["items"], text)
        text = "model { if (1 <lo"
        self.client.open("file:///nowhere/less.stan", text)
        self.assertIn("log", {item["label"] for item in self.client.at("completion", "file:///nowhere/less.stan", 0, len(text))["items"]})

    def test_functions_that_take_functions(self):
        text = "functions { vector f(real t, vector y) { return y; } }\nmodel { array[1] vector[1] z = ode_rk45(f, [1]', 0, {1.0}, 2, 3); }"
        uri = "file:///nowhere/ode.stan"
        self.client.open(uri, text)
        line = text.split("\n")[1]
        self.assertIn("Runge-Kutta", self.client.at("hover", uri, 1, line.index("ode_rk45") + 1)["contents"]["value"])
        help_ = self.client.at("signatureHelp", uri, 1, line.index("{1.0}"))
        self.assertTrue(help_["signatures"][0]["label"].startswith("ode_rk45(f, initial, t0, times, "))
        self.assertEqual(help_["activeParameter"], 3)
        self.assertEqual(self.client.at("signatureHelp", uri, 1, line.index("3);"))["activeParameter"], 4)  # the last one stands for many

    def test_signature_help(self):
        help_ = self.client.at("signatureHelp", URI, *self.place("sigma);"))
        first = help_["signatures"][help_["activeSignature"]]
        self.assertEqual(first["label"], "normal(real mu, real sigma)")
        begin, end = first["parameters"][help_["activeParameter"]]["label"]
        self.assertEqual(first["label"][begin:end], "real sigma")
        own = self.client.at("signatureHelp", URI, *self.place("2.0)"))
        self.assertEqual(own["signatures"][0]["label"], "energy(vector x, data real scale) => real")
        self.assertEqual(own["activeParameter"], 1)
        bar = self.client.at("signatureHelp", URI, *self.place("2);"))
        self.assertEqual(bar["signatures"][0]["label"], "hill_lupdf(real y | real top) => real")
        self.assertIsNone(self.client.at("signatureHelp", URI, *self.place("mu ~")))

    def test_definition_references_highlights(self):
        where = self.client.at("definition", URI, *self.place("hill(1.5)"))
        self.assertEqual((where["range"]["start"]["line"], where["range"]["start"]["character"]), self.place("hill_lpdf"))
        all_ = self.client.at("references", URI, *self.place("mu;"), context={"includeDeclaration": True})
        self.assertEqual(len(all_), 4)
        self.assertEqual(len(self.client.at("references", URI, *self.place("mu;"), context={"includeDeclaration": False})), 3)
        self.assertEqual(len(self.client.at("documentHighlight", URI, *self.place("N;"))), 3)

    def renamed(self, part, now):
        changes = self.client.at("rename", URI, *self.place(part), newName=now)["changes"]
        return applied(MODEL, changes[URI])

    def test_rename(self):
        self.assertEqual(self.client.at("prepareRename", URI, *self.place("mu;"))["placeholder"], "mu")
        text = self.renamed("mu;", "alpha")
        self.assertEqual(text, MODEL.replace("mu", "alpha"))
        self.assertEqual(self.renamed("hill(1.5)", "peak_lpdf"), MODEL.replace("hill", "peak"))
        for part, now in [("mu;", "sigma"), ("mu;", "1x"), ("mu;", "real"), ("mu;", "exp"), ("mu;", "a b"), ("mu;", ""), ("hill_lpdf", "hill"),
                          ("dot_self", "x2"), ("mu;", "a__")]:
            with self.assertRaises(ResponseError) as refused:
                self.client.at("rename", URI, *self.place(part), newName=now)
            self.assertEqual(refused.exception.code, -32803, (part, now))

    def test_outline(self):
        blocks = self.client.about("documentSymbol", URI)
        self.assertEqual([b["name"] for b in blocks], ["functions", "data", "parameters", "model"])
        self.assertEqual([c["name"] for c in blocks[1]["children"]], ["N", "y"])
        self.assertEqual([c["name"] for c in blocks[0]["children"]], ["energy", "hill_lpdf"])

    def test_formatting(self):
        neat = MODEL.replace("  /* 𝛼𝛽 */ mu", "  /* 𝛼𝛽 */\n  mu")
        ugly = neat.replace("  y[n] ~ normal(mu, sigma);", "y[n]~normal( mu,sigma ) ;")
        for text in [MODEL, ugly]:
            self.client.change(URI, [{"text": text}])
            edits = self.client.about("formatting", URI, options={"tabSize": 2, "insertSpaces": True})
            self.assertEqual(applied(text, edits), neat)
        self.client.change(URI, [{"text": neat}])
        self.assertEqual(self.client.about("formatting", URI, options={}), [])

    def test_semantic_tokens(self):
        legend = self.capabilities["semanticTokensProvider"]["legend"]
        data = self.client.about("semanticTokens/full", URI)["data"]
        self.assertEqual(len(data) % 5, 0)
        lines = MODEL.split("\n")
        line = column = 0
        seen = {}
        for i in range(0, len(data), 5):
            down, right, length, kind, modifiers = data[i : i + 5]
            line, column = line + down, right if down else column + right
            units = lines[line].encode("utf-16-le")
            word = units[2 * column : 2 * (column + length)].decode("utf-16-le")
            names = [m for b, m in enumerate(legend["tokenModifiers"]) if modifiers >> b & 1]
            seen.setdefault(word, []).append((legend["tokenTypes"][kind], names))
        self.assertEqual(seen["mu"][0], ("parameter", ["declaration"]))
        self.assertEqual(seen["mu"][1], ("parameter", []))
        self.assertEqual(seen["y"][-1], ("variable", ["readonly"]))
        self.assertEqual(seen["normal"], [("function", ["defaultLibrary"])])
        self.assertEqual(seen["/* 𝛼𝛽 */"], [("comment", [])])
        self.assertEqual(seen["for"], [("keyword", [])])
        self.assertEqual(seen["vector"][0][0], "type")

    def test_a_broken_text_keeps_what_is_known(self):
        broken = MODEL.replace("y[n] ~ normal(mu, sigma);", "y[n] ~ normal(mu, sig")
        self.assertTrue(self.client.change(URI, [{"text": broken}]))
        line, character = line_of(broken, "sig\n")
        self.assertEqual([n for n in self.labels(line, character + 3) if n.startswith("sig")][:1], ["sigma"])
        self.assertIn("n", self.labels(line, character))
        self.assertIn("real mu", self.client.at("hover", URI, *line_of(broken, "mu, sig"))["contents"]["value"])
        self.assertIn("real mu, real sigma", json.dumps(self.client.at("signatureHelp", URI, line, character + 3)))
        self.assertEqual(self.client.about("formatting", URI, options={}), None)

    def test_every_beginning_of_the_text_is_served(self):
        for end in range(0, len(MODEL), 7):
            text = MODEL[:end]
            self.client.change(URI, [{"text": text}])
            line, character = text.count("\n"), len(text.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2
            for method in ["completion", "hover", "signatureHelp", "definition"]:
                self.client.at(method, URI, line, character)
            for method in ["documentSymbol", "semanticTokens/full", "formatting", "codeLens"]:
                self.client.about(method, URI)


class Changes(Served):
    def test_incremental_changes_count_in_utf16(self):
        text = "model {\n  // 𝛼é\n  print(\"𝛼\", 1);\n}\n"
        self.assertEqual(self.client.open(URI, text), [])
        line, character = line_of(text, ", 1")
        found = self.client.change(URI, [{"range": {"start": {"line": line, "character": character + 2}, "end": {"line": line, "character": character + 3}}, "text": "zz"}])
        self.assertEqual(found[0]["message"][:28], "Identifier 'zz' not in scope")
        self.assertEqual(found[0]["range"]["start"], {"line": line, "character": character + 2})
        self.assertEqual(self.client.change(URI, [
            {"range": {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + 4}}, "text": ""},
            {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}, "text": ""}]), [])

    def test_places_behind_the_end_are_the_end(self):
        self.client.open(URI, "model {\n")
        self.assertEqual(self.client.change(URI, [{"range": {"start": {"line": 0, "character": 999}, "end": {"line": 0, "character": 999}}, "text": " "},
                                                  {"range": {"start": {"line": 99, "character": 0}, "end": {"line": 99, "character": 5}}, "text": "}"}]), [])

    def test_a_closed_text_has_no_diagnostics(self):
        self.assertTrue(self.client.open(URI, "model { x"))
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        self.assertEqual(self.client.diagnostics(URI), [])
        with self.assertRaises(ResponseError) as gone:
            self.client.at("hover", URI, 0, 0)
        self.assertEqual(gone.exception.code, -32602)


FIXES = [  # text, what it becomes with the first fix
    ("parameters { real mu; } model { m ~ normal(0, 1); }", None),
    ("parameters { real alpha; } model { alhpa ~ normal(0, 1); }", "parameters { real alpha; } model { alpha ~ normal(0, 1); }"),
    ("parameters { real a; } model { a ~ nromal(0, 1); }", "parameters { real a; } model { a ~ normal(0, 1); }"),
    ("parameters { real a; } model { target += normal_lpdf(a, 0, 1); }", "parameters { real a; } model { target += normal_lpdf(a | 0, 1); }"),
    ("parameters { real a; } model { target += exq(a); }", "parameters { real a; } model { target += exp(a); }"),
    ("parameters { float a; }", "parameters { real a; }"),
    ("paramters { real a; }", "parameters { real a; }"),
    ("model { real a = 2 ** 3; }", "model { real a = 2 ^ 3; }"),
    ("model { int a; a <- 1; }", "model { int a; a = 1; }"),
    ("model { int a; a == 1; }", "model { int a; a = 1; }"),
    ("model {\n  int a\n  a = 1;\n}", "model {\n  int a;\n  a = 1;\n}"),
    ("model { int a = 7 / 2; }", "model { int a = 7 %/% 2; }"),
    ("parameters { real a; } model { a ~ normal_lpdf(0, 1); }", "parameters { real a; } model { a ~ normal(0, 1); }"),
    ("model { if (1 & 2) print(1); }", "model { if (1 && 2) print(1); }"),
    ("model { if (1 = 2) print(1); }", "model { if (1 == 2) print(1); }"),
    ("parameters { real<lower=0, uper=1> a; }", "parameters { real<lower=0, upper=1> a; }"),
    ("parameters { real<lowr=0> a; }", "parameters { real<lower=0> a; }"),
    ("parameters { real a; } model { a \u223c normal(0, 1); }", "parameters { real a; } model { a ~ normal(0, 1); }"),
    ("model { real a = 2 \u00d7 3; }", "model { real a = 2 * 3; }"),
    ("data { int k; } model { k ~ posson(1); }", "data { int k; } model { k ~ poisson(1); }"),
]


class Diagnostics(Served):
    def test_fixes(self):
        for i, (text, fixed) in enumerate(FIXES):
            uri = f"file:///nowhere/fix{i}.stan"
            found = self.client.open(uri, text)
            self.assertTrue(found, text)
            actions = self.client.about("codeAction", uri, range=found[0]["range"], context={"diagnostics": found})
            if fixed is None:
                continue
            self.assertTrue(actions, text)
            self.assertEqual(applied(text, actions[0]["edit"]["changes"][uri]), fixed)
            self.assertEqual(actions[0]["kind"], "quickfix")

    def test_related_places(self):
        text = "data { int n; }\nparameters { real n; }\n"
        found = self.client.open(URI, text)
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["range"]["start"], {"line": 0, "character": 11})
        open_ = "model {\n  if (1) {\n    print(1);\n\ngenerated quantities {\n}\n"
        found = self.client.change(URI, [{"text": open_}])
        self.assertIn("not closed", found[0]["relatedInformation"][0]["message"])

    def test_several_errors_and_warnings(self):
        found = self.client.open(URI, "model {\n  a = 1;\n  b = 2;\n}\n")
        self.assertEqual([d["severity"] for d in found], [1, 1])
        found = self.client.change(URI, [{"text": "model {\n  real x;\n  target += x;\n}\n"}])
        self.assertEqual([d["severity"] for d in found], [2])
        found = self.client.change(URI, [{"text": "model {\n  int a;\n  a <- 3;\n}\n"}])
        self.assertEqual(found[0]["tags"], [2])

    def test_what_two_checks_find_is_told_once(self):
        self.tearDown()
        self.client = Client([FERMIAC, "lsp"])
        self.client.start({"pedantic": True})
        found = self.client.open(URI, "model {\n  real x;\n  target += x;\n}\n")
        self.assertEqual([d["severity"] for d in found if "assigned" in d["message"]], [2])


class Files(Served):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name).resolve()

    def tearDown(self):
        super().tearDown()
        self.folder.cleanup()

    def test_includes(self):
        (self.root / "a b.stan").write_text("real shared;\n")
        (self.root / "bad.stan").write_text("real 3;\n")
        uri = (self.root / "m.stan").as_uri()
        text = 'parameters {\n#include "a b.stan"\n}\nmodel { shared ~ normal(0, 1); }\n'
        self.assertEqual(self.client.open(uri, text), [])
        where = self.client.at("definition", uri, 3, 10)
        self.assertEqual(where["uri"], (self.root / "a b.stan").as_uri())
        self.assertEqual(self.client.at("definition", uri, 1, 12)["uri"], where["uri"])
        changes = self.client.at("rename", uri, 3, 10, newName="common")["changes"]
        self.assertEqual({u: len(e) for u, e in changes.items()}, {uri: 1, where["uri"]: 1})
        found = self.client.change(uri, [{"text": text.replace("a b", "bad")}])
        self.assertEqual(found[0]["range"]["start"]["line"], 1)
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["uri"], (self.root / "bad.stan").as_uri())

    def test_values(self):
        uri = (self.root / "m.stan").as_uri()
        self.client.open(uri, MODEL)
        self.assertEqual(self.client.about("codeLens", uri), [])
        (self.root / "m.json").write_text('{"N": 2, "y": [1, 2]}')
        lenses = {lens["range"]["start"]["line"]: lens["command"]["title"] for lens in self.client.about("codeLens", uri)}
        self.assertEqual(lenses[self.place("y[n] ~")[0]], "target += -4.33788")
        self.assertEqual(lenses[self.place("return -square")[0]], "target += -6.25 in all calls")
        self.assertIn("m.json", lenses[self.place("model {")[0]])
        value = self.client.at("hover", uri, *self.place("y;"))["contents"]["value"]
        self.assertIn("y = [1, 2] : vector[2]", value)
        (self.root / "m.data.json").write_text('{"N": 3, "y": [1, 2]}')
        self.assertIn("no values", self.client.about("codeLens", uri)[0]["command"]["title"])
        (self.root / "m.json").unlink()
        (self.root / "m.data.json").unlink()
        (self.root / "m.csv").write_text("y\n1\n2\n")
        self.assertIn("m.csv", self.client.about("codeLens", uri)[0]["command"]["title"])

    def test_functions_file(self):
        uri = (self.root / "f.stanfunctions").as_uri()
        self.assertEqual(self.client.open(uri, "real f(real x) {\n  return x;\n}\n"), [])
        self.assertEqual([s["name"] for s in self.client.about("documentSymbol", uri)], ["f"])


class Hostile(unittest.TestCase):
    def setUp(self):
        self.client = Client([FERMIAC, "lsp"])

    def tearDown(self):
        self.client.process.kill()
        self.client.process.wait()
        self.client.process.stdin.close()
        self.client.process.stdout.close()

    def code_of(self, data):
        self.client.send_raw(data)
        return self.client.receive_response()["error"]["code"]

    def framed(self, body):
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    def alive(self):
        """Every answer so far was read, and the next request is answered."""
        try:
            self.client.request("textDocument/hover", {"textDocument": {"uri": "file:///no"}, "position": {"line": 0, "character": 0}})
        except ResponseError as e:
            return e.code
        return None

    def test_before_initialize(self):
        self.assertEqual(self.alive(), -32002)
        self.client.notify("exit")
        self.assertEqual(self.client.process.wait(timeout=30), 1)

    def test_bad_messages(self):
        self.assertEqual(self.code_of(self.framed(b"{]")), -32700)
        self.assertEqual(self.code_of(self.framed(b'{"a": "\xff\xfe"}')), -32700)
        self.assertEqual(self.code_of(self.framed(b'{"a": "\\ud800"}')), -32700)
        self.assertEqual(self.code_of(self.framed(b"[" * 100000)), -32700)
        self.assertEqual(self.code_of(self.framed(b"")), -32700)
        self.assertEqual(self.code_of(self.framed(b"[]")), -32600)
        self.assertEqual(self.code_of(self.framed(b'{"id": 1}')), -32600)
        self.assertEqual(self.code_of(self.framed(b'{"id": {}, "method": "initialize"}')), -32600)
        self.assertEqual(self.code_of(b"Content-Type: x\r\n\r\n"), -32600)
        self.assertEqual(self.code_of(b"Content-Length: x\r\n\r\n"), -32600)
        self.client.start()
        self.assertEqual(self.code_of(self.framed(b'{"id": "a", "method": "no/such"}')), -32601)
        self.assertEqual(self.code_of(self.framed(b'{"id": 1, "method": "initialize"}')), -32600)
        self.assertEqual(self.code_of(self.framed(b'{"id": 1, "method": "textDocument/hover"}')), -32602)
        self.assertEqual(self.code_of(self.framed(b'{"id": 1, "method": "textDocument/hover", "params": [1, 2]}')), -32602)
        self.assertEqual(self.alive(), -32602)

    def test_wrong_length(self):
        self.client.start()
        message = b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}'
        self.assertEqual(self.code_of(b"Content-Length: %d\r\n\r\n" % (len(message) - 5) + message), -32700)
        self.assertEqual(self.alive(), -32602)

    def test_too_long(self):
        self.client.start()
        self.client.send_raw(b"Content-Length: 99999999999\r\n\r\n")
        self.client.process.stdin.close()  # all the rest is its body
        self.client.process.wait(timeout=60)

    def test_long_lines(self):
        self.client.start()
        self.assertTrue(self.client.open(URI, "x" * 10_000_000))
        self.assertEqual(self.client.change(URI, [{"text": "model { // " + "é" * 5_000_000 + "\n}"}]), [])
        self.client.at("hover", URI, 0, 4_000_000)
        self.client.about("semanticTokens/full", URI)
        self.assertEqual(self.client.stop(), 0)

    def test_wrong_parameters(self):
        self.client.start()
        self.client.open(URI, "model { }")
        for place in [{}, {"line": -1, "character": 0}, {"line": "a", "character": 0}, None, 3]:
            with self.assertRaises(ResponseError) as refused:
                self.client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": place})
            self.assertEqual(refused.exception.code, -32602)
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "contentChanges": [{"range": {}, "text": 1}]})
        self.client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///other"}, "contentChanges": 3})
        self.client.notify("textDocument/didOpen", {})
        self.client.notify("no/such/notice", {"a": [1]})
        self.assertIsNone(self.client.at("hover", URI, 10**9, 10**9))
        self.client.request("shutdown")
        with self.assertRaises(ResponseError) as late:
            self.client.at("hover", URI, 0, 0)
        self.assertEqual(late.exception.code, -32600)

    def test_deep_and_broken_programs(self):
        self.client.start()
        for text in ["model { x = " + "(" * 5000, "model {" * 3000, "data {\n" + "int a; " * 20000, "\0\0\0", "#include \"/dev/zero\"\n",
                     "model { real x = " + "1 + " * 50000 + "1; }", "/* ", '"', "functions { real f(", "}" * 1000, "parameters { real x; }" * 50]:
            self.client.open(URI, text)
            for method in ["completion", "hover", "signatureHelp", "definition"]:
                self.client.at(method, URI, 0, len(text) // 2)
            for method in ["documentSymbol", "semanticTokens/full", "formatting", "codeLens"]:
                self.client.about(method, URI)
        self.assertEqual(self.client.stop(), 0)


class VisualStudioCode(unittest.TestCase):
    """What can be told of the extension without the editor; bindings/editors/vscode/check.sh packs and starts it."""

    ROOT = pathlib.Path(__file__).parents[2]
    FOLDER = ROOT / "bindings/editors/vscode"

    def setUp(self):
        self.package = json.loads((self.FOLDER / "package.json").read_text())

    def test_version(self):
        version = re.search(r"project\(fermiac VERSION (\S+)", (self.ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(self.package["version"], version)
        self.assertIn(f"fermiac-{version}.vsix", (self.ROOT / "docs/editors.md").read_text())

    def test_files(self):
        language = self.package["contributes"]["languages"][0]
        self.assertTrue((self.FOLDER / self.package["main"]).is_file())
        self.assertEqual(json.loads((self.FOLDER / language["configuration"]).read_text())["comments"]["lineComment"], "//")
        self.assertEqual(language["extensions"], [".stan", ".stanfunctions"])

    def test_settings(self):
        declared = set(self.package["contributes"]["configuration"]["properties"])
        read = re.findall(r'settings\.get\("(\w+)"\)', (self.FOLDER / "extension.js").read_text())
        self.assertEqual({"fermiac." + name for name in read}, declared)
        page = (self.ROOT / "docs/editors.md").read_text()
        for name in declared:
            self.assertIn(f"`{name}`", page)


if __name__ == "__main__":
    FERMIAC = sys.argv.pop(1)
    unittest.main()
