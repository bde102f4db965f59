package api

import (
	_ "embed"
	"net/http"
)

// document is the API as OpenAPI 3.1 has it. A test makes it from the table of routes and the comments of the types.
//
//go:embed openapi.json
var document []byte

// A reply is a response other than 200 with JSON, as the out of a route; a []reply are several.
type reply struct {
	status int
	body   any // as the out of a route
}

// A media is a body that is not JSON, as the in or out of a route: its media type.
type media string

// eventStream is the body of events, as the HTML standard has server-sent events.
const eventStream media = "text/event-stream"

func documentRoutes() []route {
	return []route{
		{"GET", "/openapi.json", "", "getDocument", "Get this document.", nil, nil, media("application/json"), (*Server).getDocument},
	}
}

func (s *Server) getDocument(c *call) error {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(http.StatusOK)
	_, _ = c.w.Write(document) // the client may be gone
	return nil
}
