"""Watches a project for drift, with nothing but the standard library: subscribes to new snapshots, verifies each delivery, and
compares every snapshot with the one before it on the same machine, none left out. Settings: ENVSNAP_BASE_URL, ENVSNAP_API_KEY,
RECEIVER_URL (where the server reaches this program), STATE_FILE (what was seen, for the next start). Stops after as many
snapshots as its argument says."""

import base64, hashlib, hmac, json, os, sys, time, urllib.error, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

BASE, KEY = os.environ["ENVSNAP_BASE_URL"], os.environ["ENVSNAP_API_KEY"]
RECEIVER = os.environ.get("RECEIVER_URL", "http://127.0.0.1:8080/")
STATE = os.environ.get("STATE_FILE", "drift-watch.json")
left = int(sys.argv[1]) if len(sys.argv) > 1 else float("inf")


def call(method, path, body=None, **query):
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-API-Key": KEY, "Content-Type": "application/json"}
    url = f"{BASE}{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=30) as answer:
        return json.load(answer)


def is_genuine(secret, headers, body):
    if not all(headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")):
        return False
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret[len("whsec_"):])
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) <= 300
    return fresh and any(hmac.compare_digest(one, expected) for one in headers["webhook-signature"].split())


def remember(machine, snapshot):
    seen[machine] = {"id": snapshot["id"], "createdAt": snapshot["createdAt"]}
    with open(STATE, "w") as file:
        json.dump(seen, file)


def newest_first(machine):
    page = call("GET", "/machine/snapshots", machineName=machine, limit=100)
    while True:
        yield from page["snapshots"]
        if not page["next"]:
            return
        page = call("GET", "/machine/snapshots", machineName=machine, limit=100, after=page["next"])


def report_new(machine):
    """Reports every snapshot of the machine that came after the last one seen, oldest first."""
    global left
    last, fresh = seen.get(machine), []
    for snapshot in newest_first(machine):
        if last and (snapshot["id"] == last["id"] or snapshot["createdAt"] < last["createdAt"]):
            break
        fresh.insert(0, snapshot)
    for snapshot in fresh:
        before = seen.get(machine)
        print(f"{machine}: {changes(before['id'], snapshot['id']) if before else 'first snapshot'}", flush=True)
        remember(machine, snapshot)
        left -= 1


def changes(a, b):
    try:
        answer = call("POST", "/machine/snapshots/compare", {"snapshotA": a, "snapshotB": b})
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return "one of two snapshots was deleted meanwhile"
        raise
    return "; ".join([answer["verdict"]] + [cause["what"] for cause in answer["causes"][:3]])


class Receiver(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        status = 204
        try:
            body = self.rfile.read(int(self.headers["content-length"]))
            if is_genuine(webhook["secret"], self.headers, body):
                report_new(json.loads(body)["data"]["machineName"])
            else:
                status = 400
                print("refused a delivery that is not genuine", flush=True)
        except Exception as error:  # after a 500 the server delivers again
            status = 500
            print(f"not reported yet: {error}", flush=True)
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


seen = json.load(open(STATE)) if os.path.exists(STATE) else {}
# What came before the first start is where the watch begins; what came since the last one is reported.
first_start = not seen
server = HTTPServer(("127.0.0.1", urllib.parse.urlparse(RECEIVER).port), Receiver)
webhook = call("POST", "/machine/webhooks", {"url": RECEIVER, "events": ["snapshot.created"]})
offset, total = 0, 1
while offset < total:
    page = call("GET", "/machine/machines", limit=100, offset=offset)
    offset, total = offset + 100, page["total"]
    for machine in page["machines"]:
        if first_start:
            remember(machine["machineName"], machine["latest"])
        else:
            report_new(machine["machineName"])
print("watching", flush=True)
while left > 0:
    server.handle_request()
call("DELETE", f"/machine/webhooks/{webhook['id']}")
