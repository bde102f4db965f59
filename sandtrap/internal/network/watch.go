package network

import (
	"context"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
)

// watch has the run of ctx decide about requests; nil if nobody does.
func watch(ctx context.Context, decides bool) egress.Watch {
	if !decides {
		return nil
	}
	run := decide.RunOf(ctx)
	return func(ctx context.Context, r egress.Request) (func(egress.Event), error) {
		asked := guarded.Request{Method: r.Method, Host: r.Host, Path: r.Path, URL: r.URL, Query: r.Query, Attached: r.Secrets}
		end, err := guarded.StartRequest(ctx, run, asked, r.Denied)
		if err != nil {
			return nil, err
		}
		return (&watched{end: end}).event, nil
	}
}

// A watched request goes on.
type watched struct {
	end     func(decide.Traffic)
	refused *decide.Denied
	found   []string // secrets that its response had
}

func (w *watched) event(e egress.Event) {
	switch e.Kind {
	case egress.KindDecision:
		w.refused = e.Denied
	case egress.KindRedacted:
		w.found = append(w.found, e.Secret)
	case egress.KindEnd:
		t := decide.Traffic{Status: e.Status, Sent: e.Sent, Received: e.Received, Error: e.Error, Refused: w.refused}
		if len(w.found) > 0 {
			t.Note = "the response had a secret, which was replaced: " + strings.Join(w.found, ", ")
		}
		w.end(t)
	}
}
