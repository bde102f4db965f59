package batches_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestCancelHoldsUp: a batch that is cancelled, of whose runs one does not stop at another server, does not hold up other tenants.
func TestCancelHoldsUp(t *testing.T) {
	connect := serveNATS(t, t.TempDir())
	s := join(t, connect())
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other, err := ledger.Open(t.Context(), connect(), st, 1, slog.New(slog.DiscardHandler)) // it is there, and is busy
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close(); st.Close() })
	if err := other.AddBatch(&store.Batch{ID: "batch_1", Tenant: "alpha", Lines: 1, Created: time.Now()}, 100); err != nil {
		t.Fatal(err)
	}
	if err := other.AddRuns(&store.Run{ID: "run_1", Tenant: "alpha", Batch: "batch_1", Line: 1, Key: "k", Policy: "default@builtin", State: store.Running, Created: time.Now(), Code: "1", Request: []byte(`{"code":"1"}`)}); err != nil {
		t.Fatal(err)
	}
	if err := other.CancelBatch("alpha", "batch_1", time.Now()); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) { // until it is here
		if list, err := s.store.CancelledBatches(t.Context()); err != nil || time.Since(began) > time.Minute {
			t.Fatal(list, err)
		} else if len(list) > 0 {
			break
		}
	}
	time.Sleep(2 * time.Second) // that its server looks after it
	sent := false
	b, err := s.Create(t.Context(), "beta", "", func() (*batches.Line, error) {
		if sent {
			return nil, io.EOF
		}
		sent = true
		return &batches.Line{Code: "fmt.Print(1)"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b, err = s.Wait(ctx, "beta", b.ID)
	if err != nil || b.Ended == nil {
		t.Errorf("the batch of another tenant: %+v, %v", b, err)
	}
}
