package api

import (
	"net/http"
	"slices"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// A route is one operation of the API. The OpenAPI document is made from the table of them.
type route struct {
	method, path string    // as net/http has patterns
	role         keys.Role // the least one; empty for everybody, without a key
	name         string    // of the operation, unique
	about        string    // one sentence
	query        []parameter
	in, out      any // zero values of what the body and the response have in JSON, or a media or reply; nil for none
	do           func(*Server, *call) error
}

// A parameter is one of the query.
type parameter struct{ name, about string }

// routes are all operations, in the order of the document.
func routes() []route {
	return slices.Concat(
		runRoutes(),
		sessionRoutes(),
		keyRoutes(),
		limitRoutes(),
		requestRoutes(),
		machineRoutes(),
		documentRoutes(),
		policyRoutes(),
		recordRoutes(),
		operatorRoutes(),
		mcpRoutes(),
		cloneRoutes(),
		batchRoutes(),
	)
}

// followed are the responses with a run that may go on.
func followed() []reply {
	return []reply{{http.StatusOK, runs.View{}}, {http.StatusOK, eventStream}, {http.StatusAccepted, runs.View{}}}
}

func runRoutes() []route {
	return []route{
		{"POST", "/v1/runs", keys.User, "startRun", "Run a script; the response comes when it has ended or waits, or at once with Prefer: respond-async.", nil, runs.Request{}, followed(), (*Server).startRun},
		{"GET", "/v1/runs", keys.User, "listRuns", "List runs, the newest first.", append([]parameter{
			tenantParameter, {"state", "states, separated by commas"}, {"q", "text in the source, 200 bytes at most; a page looks at some of the runs"}, {"since", "the time after which they began, as RFC 3339 has it"},
		}, pageParameters()...), nil, runList{}, (*Server).listRuns},
		{"GET", "/v1/runs/{id}", keys.User, "getRun", "Get a run.", nil, nil, runs.View{}, (*Server).getRun},
		{"DELETE", "/v1/runs/{id}", keys.User, "deleteRun", "Delete a run that has ended, with its events and artifacts; its forks stay, and so does the record.", nil, nil, nil, (*Server).deleteRun},
		{"GET", "/v1/runs/{id}/source", keys.User, "getSource", "Get the script of a run, as it was sent.", nil, nil, media("text/plain"), (*Server).getSource},
		{"GET", "/v1/runs/{id}/events", keys.User, "getEvents", "Get the events of a run as text/event-stream, up to its end or its next wait.", []parameter{{"after", "the id of the last event that is known"}}, nil, eventStream, (*Server).getEvents},
		{"GET", "/v1/runs/{id}/artifacts/{name}", keys.User, "getArtifact", "Get a file that a run has left.", nil, nil, media("*/*"), (*Server).getArtifact},
		{"POST", "/v1/runs/{id}/answers", keys.User, "answerRun", "Answer calls that a run waits for; the response comes when it has ended or waits again.", nil, answers{}, followed(), (*Server).answerRun},
		{"POST", "/v1/runs/{id}/cancel", keys.User, "cancelRun", "End a run.", nil, nil, runs.View{}, (*Server).cancelRun},
		{"POST", "/v1/runs/{id}/fork", keys.User, "forkRun", "Make copies of a run that waits; each waits at the same calls.", nil, forks{}, reply{http.StatusCreated, runList{}}, (*Server).forkRun},
	}
}

func machineRoutes() []route {
	return []route{
		{"GET", "/healthz", "", "health", "Whether the process lives.", nil, nil, health{}, (*Server).health},
		{"GET", "/readyz", "", "ready", "Whether it takes runs.", nil, nil, health{}, (*Server).ready},
	}
}

// handler is the mux of all routes.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, q *http.Request) { s.serve(w, q, r) })
	}
	mux.HandleFunc("/", s.noRoute)
	return s.guarded(mux)
}
