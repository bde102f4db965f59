package batches_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestDeadElsewhere: a server is gone with the runs of two lines, one of which had begun three times. The others give that one up, once, and it is in the
// list of dead lines at each, with its events; the other one is begun again.
func TestDeadElsewhere(t *testing.T) {
	t.Parallel()
	const lines = 5
	connect := serveNATS(t, t.TempDir())
	conn := connect()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lost, err := ledger.Open(t.Context(), conn, st, 1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	queue, of := shared(t, conn), batches.Name{Tenant: "alpha", Batch: "batch_x"}
	var list [][]byte
	for n := range lines {
		list = append(list, fmt.Appendf(nil, `{"code":"fmt.Print(%d)","policy":%q}`, n+1, policies.Default+"@builtin"))
	}
	if err := queue.Add(t.Context(), of, 1, list); err != nil {
		t.Fatal(err)
	}
	for n, begins := range []int{3, 1} {
		key := fmt.Sprintf("\x01batch_x\x01%d", n+1)
		row := &store.Run{
			ID: lost.RunID("alpha", key), Tenant: "alpha", State: store.Running, Created: time.Now(), Policy: policies.Default + "@builtin", Code: "x", Request: list[n],
			Key: key, Batch: of.Batch, Line: n + 1,
		}
		if err := errors.Join(lost.AddRuns(row), lost.SetBegins("alpha", row.ID, begins)); err != nil {
			t.Fatal(err)
		}
	}
	if err := lost.AddBatch(&store.Batch{ID: of.Batch, Tenant: of.Tenant, Lines: lines, Created: time.Now()}, 100); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	t.Cleanup(func() { _ = lost.Close(); st.Close() })

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, s := range []*server{join(t, connect()), join(t, connect())} {
		b, err := s.Wait(ctx, of.Tenant, of.Batch)
		if err != nil || b.State != batches.Done || b.Counts != (batches.Counts{Done: lines - 1, Dead: 1}) {
			t.Fatalf("%+v, %v", b, err)
		}
		n := 0
		for r, err := range s.Dead(ctx, of.Tenant, of.Batch) {
			if n++; err != nil || r.Line != 1 || r.State != store.Failed || !strings.Contains(string(r.Result), `"interrupted"`) {
				t.Errorf("%+v, %v", r, err)
			}
			run, err := s.store.Run(ctx, of.Tenant, r.Run)
			if err != nil || strings.Count(string(run.Events), `"kind":"result"`) != 1 {
				t.Errorf("%+v, %v", run, err)
			}
		}
		if n != 1 {
			t.Errorf("%d lines are dead", n)
		}
		for i, r := range s.results(t, of.Batch, lines) {
			if i > 0 && !strings.Contains(string(r.Result), fmt.Sprintf(`"stdout":"%d"`, i+1)) {
				t.Errorf("%+v", r)
			}
		}
	}
}
