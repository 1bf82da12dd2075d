// The flow in Go: the structs that quicktype makes of the description, read so strictly that a field which it lacks fails.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

var key string

// call sends a body, unless it is nil, and reads the answer of this status as what the description gives it.
func call[Answer any](method, path string, body any, status int) Answer {
	sent := []byte{}
	if body != nil {
		var err error
		sent, err = json.Marshal(body)
		check(err)
	}
	request, err := http.NewRequest(method, os.Getenv("BASE_URL")+path, bytes.NewReader(sent))
	check(err)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("X-API-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	expect(path, response.StatusCode, status)
	var answer Answer
	decoder := json.NewDecoder(response.Body)
	decoder.DisallowUnknownFields()
	check(decoder.Decode(&answer))
	return answer
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect[T comparable](what string, got, want T) {
	if got != want {
		log.Fatalf("%s: %v instead of %v", what, got, want)
	}
}

func store(node string) string {
	os := "linux"
	body := NewSnapshot{
		MachineName:     "build-7",
		OS:              &os,
		RuntimeVersions: map[string]string{"node": node},
		EnvVars:         map[string]string{"CI": "1"},
	}
	return call[CreateSnapshotAnswer]("POST", "/machine/snapshots", body, 201).ID
}

func main() {
	project := call[BootstrapAnswer]("POST", "/machine/keys/bootstrap", BootstrapBody{ProjectName: "generated"}, 201)
	key = project.APIKey
	a, b := store("22.1.0"), store("24.1.0")

	page := call[PageOfSnapshots]("GET", "/machine/snapshots?limit=1", nil, 200)
	expect("total", page.Total, 2)
	expect("newest", page.Snapshots[0].ID, b)
	expect("has a next page", page.Next != nil, true)

	expect("CI", call[Snapshot]("GET", "/machine/snapshots/"+a, nil, 200).EnvVars["CI"], "1")

	sides := CompareSnapshotsBody{SnapshotA: a, SnapshotB: b}
	runtime := call[CompareSnapshotsAnswer]("POST", "/machine/snapshots/compare", sides, 200).Diff.Runtimes[0]
	expect("runtime", runtime.Key+" "+*runtime.A+" "+*runtime.B, "node 22.1.0 24.1.0")
	expect("match", runtime.Match, false)

	name := "renamed"
	path := "/machine/projects/" + project.ProjectID
	expect("update", call[Success]("PATCH", path, UpdateProjectBody{Name: &name}, 200).Success, true)
	expect("name", call[ProjectWithCounts]("GET", path, nil, 200).Name, name)

	subscription := CreateWebhookBody{URL: "https://example.com/hook", Events: []WebhookEvent{SnapshotCreated}}
	path = "/machine/webhooks/" + call[CreateWebhookAnswer]("POST", "/machine/webhooks", subscription, 201).ID
	active := false
	expect("active", call[UpdateWebhookAnswer]("PATCH", path, UpdateWebhookBody{Active: &active}, 200).Active, false)
	expect("empty", call[APIError]("PATCH", path, UpdateWebhookBody{}, 400).Code, ValidationFailed)

	expect("delete", call[Success]("DELETE", "/machine/snapshots/"+a, nil, 200).Success, true)
	expect("left", call[Usage]("GET", "/machine/usage", nil, 200).Resources.Snapshots, 1)
	fmt.Println("done")
}
