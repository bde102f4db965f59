package mcpserver_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	kept "github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

// fullRuns are those of a server that is full.
type fullRuns struct {
	mcpserver.Runs
	err error
}

func (f *fullRuns) Start(context.Context, string, runs.Request) (mcpserver.Run, error) {
	return nil, f.err
}

// TestFull: a client that meets a limit is told which; the log has no fault of the server.
func TestFull(t *testing.T) {
	var log bytes.Buffer
	full := &fullRuns{}
	r := newRig(t, func(o *mcpserver.Options) { o.Runs, o.Log = full, slog.New(slog.NewTextHandler(&log, nil)) })
	c := connect(t, r.transport("alpha"), "", nil)
	for _, full.err = range []error{
		&limits.Error{Name: "runs_at_once", Limit: 5, Used: 5}, fmt.Errorf("%w: 5 wait", runs.ErrBusy), fmt.Errorf("%w: 5 bytes", kept.ErrTooLarge), fmt.Errorf("%w: 5 bytes", plans.ErrTools),
	} {
		res := c.call(t, "run", map[string]any{"code": "n := 1"})
		if got := text(res); !res.IsError || got != full.err.Error() {
			t.Errorf("%v: %q", full.err, got)
		}
	}
	if log.Len() > 0 {
		t.Error(log.String())
	}
}

// TestFault: a fault of the server is told of in its log alone.
func TestFault(t *testing.T) {
	var log bytes.Buffer
	fault := errors.New("open /srv/secret: denied")
	r := newRig(t, func(o *mcpserver.Options) {
		o.Runs, o.Log = &fullRuns{err: fault}, slog.New(slog.NewTextHandler(&log, nil))
	})
	_, err := connect(t, r.transport("alpha"), "", nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "run", Arguments: map[string]any{"code": "1"}})
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(log.String(), "secret") {
		t.Errorf("%v, log %q", err, log.String())
	}
}
