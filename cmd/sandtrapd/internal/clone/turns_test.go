package clone

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// TestTurns: clones of one tenant leave a turn for another one, however long they take.
func TestTurns(t *testing.T) {
	var at atomic.Int64
	ends := make(chan struct{})
	r := newRig(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		at.Add(1)
		<-ends
		w.WriteHeader(http.StatusNotFound)
	}), Limits{Time: 5 * time.Minute})
	var all sync.WaitGroup
	clone := func(tenant string) {
		all.Go(func() {
			_, err := r.Clone(t.Context(), decide.Subject{Tenant: tenant}, Request{URL: r.url + "/a.git"}, afero.NewMemMapFs())
			if !errors.Is(err, ErrServer) && !errors.Is(err, ErrRepository) {
				t.Error(err)
			}
		})
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	defer all.Wait()
	defer close(ends)
	clone("alpha")
	until("the first clone does not begin", func() bool { return at.Load() == 1 })
	clone("alpha")
	until("a second one of the tenant does not wait", func() bool { return r.turns.Queued() == 1 })
	clone("beta")
	until("the clone of another tenant does not begin", func() bool { return at.Load() == 2 })
	clone("gamma")
	until("a third one of all does not wait", func() bool { return r.turns.Queued() == 2 })
}
