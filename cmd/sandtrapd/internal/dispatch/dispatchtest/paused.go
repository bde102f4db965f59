package dispatchtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// paused: a run that waits comes back with its journal, goes on from that with answers, and comes to the same when it is done again. A
// journal that is refused, or that no job of its kind can have, is no outcome.
func paused(t *testing.T, open opener) {
	q := open(t, 2, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprint(out.Stdout, "out"[min(job.Told.Stdout, 3):])
		o := &dispatch.Outcome{Result: json.RawMessage(`{}`)}
		switch {
		case string(job.Request) == `"both"`:
			o.Journal, o.Kind = []byte("x"), "panic"
		case len(job.Answers) == 0:
			o.Journal = append(job.Journal, "waits\n"...)
		default:
			o.Result = json.RawMessage(`{"journal":"` + fmt.Sprintf("%x", job.Journal) + `","answers":` + string(job.Answers) + `}`)
		}
		return o, nil
	})
	no := errors.New("no")
	job := Job("alpha", "run_1", `{}`)
	job.Journal = []byte("begun\n")
	for range 2 {
		out, stdout, _ := outputs()
		var told []byte
		out.Paused = func(journal []byte) error { told = journal; return nil }
		o, err := q.Do(t.Context(), job, always, out)
		if err != nil || string(o.Journal) != "begun\nwaits\n" || string(told) != string(o.Journal) || stdout.String() != "out" {
			t.Errorf("%+v, %v, checked %q, output %q", o, err, told, stdout)
		}
	}
	on := Job("alpha", "run_1", `{}`)
	on.Journal, on.Answers, on.Told.Stdout = []byte("begun\nwaits\n"), json.RawMessage(`[1]`), 3
	out, stdout, _ := outputs()
	out.Paused = func([]byte) error { t.Error("it has ended"); return nil }
	if o, err := q.Do(t.Context(), on, always, out); err != nil || string(o.Result) != fmt.Sprintf(`{"journal":"%x","answers":[1]}`, on.Journal) || stdout.Len() > 0 {
		t.Errorf("%+v, %v, output %q", o, err, stdout)
	}
	for name, refuse := range map[string]func([]byte) error{"it cannot wait": nil, "its journal is refused": func([]byte) error { return no }} {
		out, _, _ := outputs()
		out.Paused = refuse
		if o, err := q.Do(t.Context(), job, always, out); err == nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
	out, _, _ = outputs()
	out.Paused = func([]byte) error { return nil }
	if o, err := q.Do(t.Context(), Job("alpha", "run_2", `"both"`), always, out); err == nil {
		t.Errorf("it waits and has ended: %+v", o)
	}
}
