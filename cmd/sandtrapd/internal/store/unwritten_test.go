package store_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestUnwritten: the outcome of a run that was not written before is as that of one that was, and is written once.
func TestUnwritten(t *testing.T) {
	s := open(t, t.TempDir())
	for _, state := range []store.State{store.Done, store.Pending} {
		var rows []*store.Run
		for _, unwritten := range []bool{false, true} {
			r := row("run_"+string(state), "")
			r.Created = time.Unix(1, 0)
			if unwritten {
				r.ID += "_unwritten"
			} else if err := s.AddRuns(r); err != nil {
				t.Fatal(err)
			}
			r.State, r.Unwritten, r.Kind, r.Ticks, r.Peak, r.Duration = state, unwritten, "kind", 1, 2, 3
			r.Result, r.Journal, r.Pending, r.Events, r.ToldStdout, r.ToldStderr = json.RawMessage("{}"), []byte("j"), json.RawMessage("[]"), []byte("e"), 4, 5
			if state.Over() {
				r.Ended = time.Unix(2, 0)
			}
			r.Artifacts, r.Spent, r.Revision = []store.Artifact{{Name: "a", MediaType: "b", Data: []byte("c")}}, time.Second, 7
			if err := s.Finish(r); err != nil {
				t.Fatal(err)
			}
			if err := s.Finish(r); !errors.Is(err, store.ErrState) {
				t.Errorf("%s is written again: %v", r.ID, err)
			}
			got, err := s.Run(t.Context(), "alpha", r.ID)
			if err != nil {
				t.Fatal(err)
			}
			if a, err := s.Artifact(t.Context(), "alpha", r.ID, "a"); err != nil || string(a.Data) != "c" {
				t.Errorf("%v, %v", a, err)
			}
			got.Seq, got.ID = 0, ""
			rows = append(rows, got)
		}
		if !reflect.DeepEqual(rows[0], rows[1]) {
			t.Errorf("%+v\n%+v", rows[0], rows[1])
		}
	}
}
