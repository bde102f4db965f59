package api_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// open makes a request of the tenant alpha, whose body is not read yet.
func (r *rig) open(ctx context.Context, t testing.TB, method, path, body string, headers ...string) (*http.Response, error) {
	t.Helper()
	q, err := http.NewRequestWithContext(ctx, method, r.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens["alpha"])
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	return r.Client().Do(q)
}

// endless is a run that ends when somebody ends it.
const endless = `{"code":"fmt.Println(1)\nfor {}"`

// the returns the one run of the store, once it is in one of these states.
func (r *rig) the(t testing.TB, states ...store.State) *store.Run {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		list, _, err := r.store.Runs(t.Context(), store.Query{Limit: 2, States: states})
		if err != nil || len(list) > 1 {
			t.Fatalf("%d runs, %v", len(list), err)
		}
		if len(list) == 1 {
			return list[0]
		}
		if time.Now().After(deadline) {
			t.Fatalf("no run is %v", states)
		}
	}
}

// TestAborted: a run ends when its client is gone, unless the client has said that it asks again.
func TestAborted(t *testing.T) {
	for _, c := range []struct {
		name, body string
		headers    []string
		goesOn     bool
	}{
		{"waits", endless + "}", nil, false},
		{"stream", endless + "}", []string{"Accept", "text/event-stream"}, false},
		{"async", endless + "}", []string{"Prefer", "respond-async"}, true},
		{"key", endless + `,"idempotency_key":"k"}`, nil, true},
		{"stream with a key", endless + `,"idempotency_key":"k"}`, []string{"Accept", "text/event-stream"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRigWith(t, rigOptions{isolation: sandtrap.Isolation(*isolation)})
			ctx, abort := context.WithCancel(t.Context())
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				if res, err := r.open(ctx, t, "POST", "/v1/runs", c.body, c.headers...); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}()
			id := r.the(t, store.Running).ID
			abort()
			<-gone
			if !c.goesOn {
				if run := r.the(t, store.Cancelled); run.ID != id {
					t.Errorf("%s, and %s was aborted", run.ID, id)
				}
				return
			}
			// Whoever asks again gets the run that goes on, and its end.
			if strings.Contains(c.body, "idempotency_key") {
				if status, text := r.doHeaders(t, "POST", "/v1/runs", c.body, "Prefer", "respond-async"); status != 202 || !strings.Contains(text, id) {
					t.Errorf("%d: %s", status, text)
				}
			}
			time.Sleep(20 * time.Millisecond) // in which it would have ended
			if status, text := r.do(t, "alpha", "POST", "/v1/runs/"+id+"/cancel", ""); status != 200 || !strings.Contains(text, `"state":"cancelled"`) {
				t.Errorf("%d: %s", status, text)
			}
		})
	}
}

func (r *rig) doHeaders(t testing.TB, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	res, err := r.open(t.Context(), t, method, path, body, headers...)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
