"""Watches a project for drift, with nothing but the standard library: subscribes to new snapshots, verifies each delivery, and
compares the new snapshot with the one before it. Settings: ENVSNAP_BASE_URL, ENVSNAP_API_KEY, RECEIVER_URL (where the server
reaches this program). Stops after the number of snapshots given as its argument."""

import base64, hashlib, hmac, json, os, sys, time, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

BASE, KEY = os.environ["ENVSNAP_BASE_URL"], os.environ["ENVSNAP_API_KEY"]
RECEIVER = os.environ.get("RECEIVER_URL", "http://127.0.0.1:8080/")


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def is_genuine(secret, headers, body):
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret[len("whsec_"):])
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) <= 300
    return fresh and any(hmac.compare_digest(one, expected) for one in headers["webhook-signature"].split())


def report(machine):
    query = urllib.parse.urlencode({"machineName": machine, "limit": 2})
    snapshots = call("GET", f"/machine/snapshots?{query}")["snapshots"]
    if len(snapshots) < 2:
        return print(f"{machine}: first snapshot", flush=True)
    pair = {"snapshotA": snapshots[1]["id"], "snapshotB": snapshots[0]["id"]}
    changed = [one for one in call("POST", "/machine/snapshots/compare", pair)["diff"]["runtimes"] if not one["match"]]
    for one in changed:
        print(f"{machine}: {one['key']} {one['a'] or 'absent'} -> {one['b'] or 'absent'}", flush=True)
    if not changed:
        print(f"{machine}: no runtime changed", flush=True)


webhook = call("POST", "/machine/webhooks", {"url": RECEIVER, "events": ["snapshot.created"]})
handled = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(webhook["secret"], self.headers, body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        event = json.loads(body) if genuine else None
        if event and event["id"] not in handled:  # a delivery may come twice
            handled.add(event["id"])
            report(event["data"]["machineName"])
        elif not genuine:
            print("refused a delivery that is not genuine", flush=True)

    def log_message(self, *_):
        pass


wanted = int(sys.argv[1]) if len(sys.argv) > 1 else float("inf")
server = HTTPServer(("127.0.0.1", urllib.parse.urlparse(RECEIVER).port), Receiver)
print("watching", flush=True)
while len(handled) < wanted:
    server.handle_request()
call("DELETE", f"/machine/webhooks/{webhook['id']}")
