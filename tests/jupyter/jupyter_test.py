"""The kernel as Jupyter uses it. Usage: jupyter_test.py FERMIAC"""
import base64
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import time
import unittest

import nbclient
import nbformat
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager

ROOT = pathlib.Path(__file__).resolve().parents[2]
FERMIAC = ""
WORK = tempfile.TemporaryDirectory()
MODEL = """parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
"""


def install():
    """The kernel's description in a folder of the test."""
    done = subprocess.run([FERMIAC, "jupyter", "install", "--prefix", WORK.name], check=True, capture_output=True, text=True)
    assert "kernel.json" in done.stdout, done
    os.environ["JUPYTER_PATH"] = str(pathlib.Path(WORK.name) / "share" / "jupyter")


class Install(unittest.TestCase):
    def test_among_the_users_data(self):
        with tempfile.TemporaryDirectory() as home:
            env = {k: v for k, v in os.environ.items() if k not in ("JUPYTER_DATA_DIR", "XDG_DATA_HOME")}
            subprocess.run([FERMIAC, "jupyter", "install", "--user"], check=True, capture_output=True, env=dict(env, HOME=home))
            spec = json.loads((pathlib.Path(home) / ".local/share/jupyter/kernels/fermiac/kernel.json").read_text())
            self.assertEqual(spec["language"], "stan")
            self.assertTrue(os.access(spec["argv"][0], os.X_OK))

    def test_where_nothing_can_be_written(self):
        done = subprocess.run([FERMIAC, "jupyter", "install", "--prefix", "/dev/null"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot make the folder", done.stderr)

    def test_bad_connection_files(self):
        kernel = json.loads((pathlib.Path(WORK.name) / "share/jupyter/kernels/fermiac/kernel.json").read_text())["argv"][0]
        file = pathlib.Path(WORK.name) / "connection.json"
        for text, said in [("{", "connection file"), ("{}", "shell_port"), ('{"shell_port": -1}', "shell_port"),
                           ('{"signature_scheme": "hmac-md5"}', "hmac-md5")]:
            file.write_text(text)
            done = subprocess.run([kernel, str(file)], capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
        self.assertEqual(subprocess.run([kernel], capture_output=True, timeout=20).returncode, 2)


class Kernel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manager = KernelManager(kernel_name="fermiac", kernel_spec_manager=KernelSpecManager())
        cls.manager.start_kernel(cwd=str(ROOT))
        cls.client = cls.manager.client()
        cls.client.start_channels()
        cls.client.wait_for_ready(timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.client.stop_channels()
        cls.manager.shutdown_kernel()

    def reply(self, id_, channel="shell"):
        while True:
            message = getattr(self.client, f"get_{channel}_msg")(timeout=60)
            if message["parent_header"].get("msg_id") == id_:
                return message["content"]

    def published(self, id_):
        """What is published about a request, up to its end."""
        out = []
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != id_:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return out
            out.append((message["msg_type"], message["content"]))

    def run_cell(self, code):
        """Reply, text of standard output, everything published."""
        id_ = self.client.execute(code)
        reply, messages = self.reply(id_), self.published(id_)
        text = "".join(c["text"] for t, c in messages if t == "stream" and c["name"] == "stdout")
        return reply, text, messages

    def test_values(self):
        reply, text, _ = self.run_cell("x = [1, 2, 4]'\nmean(x)")
        self.assertEqual(reply["status"], "ok")
        self.assertIn("x = [1, 2, 4] : vector[3]", text)
        self.assertRegex(text, r"2\.33333 : real")

    def test_a_cell_is_one_paste(self):
        reply, text, _ = self.run_cell("real f(real a) {\n  return 2 * a;\n}\nf(3)")
        self.assertEqual(reply["status"], "ok")
        self.assertIn("6 : real", text)
        reply, text, _ = self.run_cell(MODEL)
        self.assertIn("1 parameter", text)

    def test_errors(self):
        reply, text, messages = self.run_cell("1 + 1\nnosuch(1)\n2 + 2")
        self.assertEqual(reply["status"], "error")
        self.assertIn("nosuch", reply["evalue"] + "".join(reply["traceback"]))
        self.assertIn("2 : int", text)
        self.assertNotIn("4 : int", text)
        self.assertIn("error", [t for t, _ in messages])

    def test_what_is_known_of_an_open_call(self):
        for code, found in [("normal_lpdf(", "normal_lpdf(real, real, real) => real"), ("1 + mean([1, 2], ", "arithmetic mean"), ("ode_rk45(f, ", "Runge-Kutta")]:
            content = self.reply(self.client.inspect(code, len(code)))
            self.assertTrue(content["found"], code)
            self.assertIn(found, content["data"]["text/plain"])

    def test_errors_have_one_name(self):
        reply, _, _ = self.run_cell(":nosuch")
        self.assertEqual((reply["ename"], reply["evalue"]), ("Error", "there is no command :nosuch. :help lists all commands."))

    def test_pictures_and_tables(self):
        _, text, messages = self.run_cell(":plot normal(0, 1)")
        data = [c["data"] for t, c in messages if t == "display_data"][0]
        self.assertTrue(data["image/svg+xml"].startswith("<svg"))
        source = data["text/html"].removeprefix('<img src="data:image/svg+xml;base64,').removesuffix('">')
        self.assertEqual(base64.b64decode(source).decode(), data["image/svg+xml"])
        self.assertIn("┤", data["text/plain"])
        self.assertIn("mean 0", text)
        for code in [":plot poisson(3)", ":sample normal(0, 1) 500", ":plot sin(x), -3, 3"]:
            self.assertIn("display_data", [t for t, _ in self.run_cell(code)[2]], code)
        self.run_cell(":new\n" + MODEL)
        _, _, messages = self.run_cell(":sample chains=2 samples=200 warmup=200\n:summary")
        self.assertIn("Iteration", "".join(c["text"] for t, c in messages if t == "stream" and c["name"] == "stderr"))
        table = [c["data"]["text/html"] for t, c in messages if t == "display_data"][0]
        self.assertIn("<th>mu</th>", table)
        self.assertIn("<th>R_hat</th>", table)
        self.assertNotIn("treedepth__", table)

    def test_completion_and_inspection(self):
        code = "é = 1\nnormal_lp"
        answer = self.reply(self.client.complete(code, len(code)))
        self.assertIn("normal_lpdf", answer["matches"])
        self.assertEqual((answer["cursor_start"], answer["cursor_end"]), (6, 15))
        found = self.reply(self.client.inspect("gamma(1, 2)", 3))
        self.assertTrue(found["found"])
        self.assertIn("shape", found["data"]["text/plain"])
        self.assertFalse(self.reply(self.client.inspect("nosuchname", 3))["found"])
        self.assertFalse(self.reply(self.client.inspect("", 0))["found"])

    def test_is_complete(self):
        self.assertEqual(self.reply(self.client.is_complete("real f(real x) {"))["status"], "incomplete")
        self.assertEqual(self.reply(self.client.is_complete("1 + 1"))["status"], "complete")

    def test_interrupt(self):
        id_ = self.client.execute("{ real s = 0; while (1) s += 1; }")
        time.sleep(1)
        began = time.time()
        self.manager.interrupt_kernel()
        self.assertEqual(self.reply(id_)["status"], "error")
        self.assertLess(time.time() - began, 20)
        self.assertEqual(self.run_cell("1 + 1")[0]["status"], "ok")

    def test_silent_cells_publish_nothing(self):
        id_ = self.client.execute("1 + 1", silent=True)
        self.assertEqual(self.reply(id_)["status"], "ok")
        self.assertEqual([t for t, _ in self.published(id_) if t != "status"], [])

    def test_unsigned_messages_are_nobodys(self):
        key = self.client.session.key
        self.client.session.key = b"wrong"
        try:
            id_ = self.client.execute("1 + 1")
            with self.assertRaises(queue.Empty):
                self.client.get_shell_msg(timeout=2)
        finally:
            self.client.session.key = key
        self.assertTrue(id_)
        self.assertEqual(self.run_cell("1 + 1")[0]["status"], "ok")

    def test_other_requests(self):
        info = self.reply(self.client.kernel_info())
        self.assertEqual(info["language_info"]["name"], "stan")
        self.assertEqual(self.reply(self.client.comm_info())["comms"], {})
        self.assertEqual(self.reply(self.client.history())["history"], [])
        self.assertTrue(self.client.hb_channel.is_beating())


class Notebook(unittest.TestCase):
    def test_the_example_runs(self):
        notebook = nbformat.read(ROOT / "examples/notebook/eight_schools.ipynb", 4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="fermiac",
                                resources={"metadata": {"path": str(ROOT / "examples/notebook")}}).execute()
        outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
        self.assertFalse([o for o in outputs if o.output_type == "error"])
        kinds = {mime for o in outputs if o.output_type == "display_data" for mime in o.data}
        self.assertLessEqual({"image/svg+xml", "text/html"}, kinds)
        self.assertTrue(all(c.outputs for c in notebook.cells if c.cell_type == "code"))


if __name__ == "__main__":
    FERMIAC = sys.argv.pop(1)
    install()
    unittest.main()
