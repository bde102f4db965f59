package egress

import (
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// An Event is what happened to a request. It has no query and no header, which may hold secrets.
type Event struct {
	Kind Kind      `json:"kind"`
	Time time.Time `json:"time"` // of the event
	decide.Subject
	Method string `json:"method"`
	URL    string `json:"url"`            // canonical, without its query, and of a Tunnel host:port; the text of one that has no canonical form, at most 200 bytes
	Host   string `json:"host,omitempty"` // canonical
	Path   string `json:"path,omitempty"` // as it is sent
	Rule   string `json:"rule,omitempty"` // that allows it

	Denied *decide.Denied `json:"denied,omitempty"` // of KindDecision: why it is refused; nil if it is allowed
	Secret string         `json:"secret,omitempty"` // its name, of the kinds about secrets

	Status   int           `json:"status,omitempty"`      // of KindEnd: of the response; 0 if there was none
	Sent     int64         `json:"sent,omitempty"`        // of KindEnd: bytes of the request
	Received int64         `json:"received,omitempty"`    // of KindEnd: bytes of the response, decompressed
	Duration time.Duration `json:"duration_ns,omitempty"` // of KindEnd: since the request began
	Error    string        `json:"error,omitempty"`       // of KindEnd: why it ended early
}

// A Kind says what an event tells of.
type Kind string

// The kinds.
const (
	KindDecision Kind = "decision" // the request is allowed or refused
	KindAttached Kind = "attached" // a secret is sent with it
	KindWithheld Kind = "withheld" // a secret is not sent with it: it follows a redirect to another host
	KindRedacted Kind = "redacted" // the response had a secret, which was replaced
	KindEnd      Kind = "end"      // the response is read or closed, or there was none
)
