"""A language client of a few lines: starts the server, sends requests and notifications, keeps what the server says unasked."""
import json
import subprocess


class ResponseError(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        self.notices = []

    # ---- bytes

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the server ended")
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def receive_response(self):
        while True:
            message = self.receive()
            if "id" in message:
                return message
            self.notices.append(message)

    # ---- messages

    def request(self, method, params=None):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        message = self.receive_response()
        assert message["id"] == self.next_id, message
        if "error" in message:
            raise ResponseError(message["error"])
        return message["result"]

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def notice(self, method):
        """The next notification of that kind."""
        for message in self.notices:
            if message["method"] == method:
                self.notices.remove(message)
                return message["params"]
        while True:
            message = self.receive()
            assert "id" not in message, message
            if message["method"] == method:
                return message["params"]
            self.notices.append(message)

    # ---- life

    def start(self, options=None):
        result = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options})
        self.notify("initialized", {})
        return result["capabilities"]

    def stop(self):
        self.request("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        return self.process.wait(timeout=30)

    # ---- documents

    def open(self, uri, text):
        """Opens a text; its diagnostics."""
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "stan", "version": 1, "text": text}})
        return self.diagnostics(uri)

    def change(self, uri, changes, version=2):
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes})
        return self.diagnostics(uri)

    def diagnostics(self, uri):
        while True:
            params = self.notice("textDocument/publishDiagnostics")
            if params["uri"] == uri:
                return params["diagnostics"]

    def at(self, method, uri, line, character, **more):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more})

    def about(self, method, uri, **more):
        return self.request("textDocument/" + method, {"textDocument": {"uri": uri}, **more})
