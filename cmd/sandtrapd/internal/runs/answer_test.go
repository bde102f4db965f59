package runs_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestAnswerAtOnce: who has waited for a run can answer it, with no pause in between.
func TestAnswerAtOnce(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	defer set.Close()
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		r, err := m.Start(t.Context(), "alpha", runs.Request{Code: `fmt.Println(Get())`, Tools: "package tools\nfunc Get() int"})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := r.Wait(t.Context()); err != nil || v.State != store.Pending {
			t.Fatalf("%+v, %v", v, err)
		}
		if r, err = m.Answer(t.Context(), "alpha", r.ID(), []runs.Answer{{ID: 1, Value: json.RawMessage("5")}}); err != nil {
			t.Fatal(err)
		}
		if v, err := r.Wait(t.Context()); err != nil || v.State != store.Done {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	m.Drain(t.Context())
}
