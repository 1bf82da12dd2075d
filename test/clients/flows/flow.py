# The flow in Python: the classes that quicktype makes of the description, each of which checks what it reads and writes.

import json
import os
import urllib.error
import urllib.request

import models

headers = {"Content-Type": "application/json"}


def call(method, path, answer, body=None):
    """The answer of a call, read as the class that the description gives it."""
    data = None if body is None else json.dumps(body.to_dict()).encode()
    request = urllib.request.Request(os.environ["BASE_URL"] + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return answer.from_dict(json.load(response))
    except urllib.error.HTTPError as error:
        return models.APIError.from_dict(json.load(error))


project = call(
    "POST", "/machine/keys/bootstrap", models.BootstrapAnswer, models.BootstrapBody(project_name="generated")
)
headers["X-API-Key"] = project.api_key


def store(node):
    body = models.NewSnapshot(
        machine_name="build-7", os="linux", runtime_versions={"node": node}, env_vars={"CI": "1"}
    )
    return call("POST", "/machine/snapshots", models.CreateSnapshotAnswer, body).id


a, b = store("22.1.0"), store("24.1.0")

page = call("GET", "/machine/snapshots?limit=1", models.PageOfSnapshots)
assert page.total == 2 and page.snapshots[0].id == b and page.next is not None

assert call("GET", f"/machine/snapshots/{a}", models.Snapshot).env_vars == {"CI": "1"}

comparison = call(
    "POST",
    "/machine/snapshots/compare",
    models.CompareSnapshotsAnswer,
    models.CompareSnapshotsBody(snapshot_a=a, snapshot_b=b),
)
(runtime,) = comparison.diff.runtimes
assert (runtime.key, runtime.a, runtime.b, runtime.match) == ("node", "22.1.0", "24.1.0", False)

path = f"/machine/projects/{project.project_id}"
assert call("PATCH", path, models.Success, models.UpdateProjectBody(name="renamed")).success
assert call("GET", path, models.ProjectWithCounts).name == "renamed"

hook = call(
    "POST",
    "/machine/webhooks",
    models.CreateWebhookAnswer,
    models.CreateWebhookBody(url="https://example.com/hook", events=[models.WebhookEvent.SNAPSHOT_CREATED]),
)
path = f"/machine/webhooks/{hook.id}"
changed = call("PATCH", path, models.UpdateWebhookAnswer, models.UpdateWebhookBody(active=False))
assert changed.active is False

empty = call("PATCH", path, models.UpdateWebhookAnswer, models.UpdateWebhookBody())
assert empty.error == "Invalid body: the body must contain at least one of url, events, format, active"

assert call("DELETE", f"/machine/snapshots/{a}", models.Success).success
assert call("GET", "/machine/usage", models.Usage).resources.snapshots == 1
print("done")
