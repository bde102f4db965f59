package dispatchtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// SessionOf is the contents of a session, and the Cell of a job in it, whose manifest is the first one.
func SessionOf(all ...[]byte) (*dispatch.Cell, map[[32]byte][]byte) {
	c, by := &dispatch.Cell{Tools: "tools", After: "run_0"}, map[[32]byte][]byte{}
	for _, data := range all {
		by[sha256.Sum256(data)] = data
		c.Bytes += int64(len(data))
	}
	c.Manifest = dispatch.Content{Hash: sha256.Sum256(all[0]), Size: int64(len(all[0]))}
	return c, by
}

// From gives contents of a map, and no others.
func From(by map[[32]byte][]byte) dispatch.Contents {
	return func(_ context.Context, want []dispatch.Content) (all [][]byte, err error) {
		for _, c := range want {
			data, ok := by[c.Hash]
			if !ok {
				return nil, dispatch.ErrForeign
			}
			all = append(all, data)
		}
		return all, nil
	}
}

// cell: what a session has become comes back whole, and is checked before it is an outcome. One of a job that has no session is none.
func cell(t *testing.T, open opener) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	q := open(t, 2, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		if string(job.Request) == `"large"` {
			return nil, dispatch.ErrLarge
		}
		o := &dispatch.Outcome{Result: json.RawMessage(`{}`), Become: &dispatch.Become{Manifest: []byte("manifest"), New: [][]byte{large, nil, []byte("x")}}}
		if job.Cell != nil {
			o.Result = json.RawMessage(fmt.Sprintf(`{"cell":"%+v"}`, *job.Cell))
		}
		return o, nil
	})
	job := Job("alpha", "run_1", `{}`)
	job.Cell, _ = SessionOf([]byte("before"))
	no := errors.New("no")
	for _, refuse := range []error{nil, no} {
		out, _, _ := outputs()
		var told *dispatch.Become
		out.Became = func(b *dispatch.Become) error { told = b; return refuse }
		o, err := q.Do(t.Context(), job, always, out)
		if refuse != nil {
			if err == nil {
				t.Errorf("it is refused: %v", o.Result)
			}
			continue
		}
		if err != nil || string(o.Result) != fmt.Sprintf(`{"cell":"%+v"}`, *job.Cell) || o.Become != told || string(told.Manifest) != "manifest" ||
			!slices.EqualFunc(told.New, [][]byte{large, nil, []byte("x")}, bytes.Equal) {
			t.Errorf("%v, result %.300s", err, o.Result)
		}
	}
	out, _, _ := outputs()
	if o, err := q.Do(t.Context(), Job("alpha", "run_2", `{}`), always, out); err == nil {
		t.Errorf("a job without a session has changed one: %s", o.Result)
	}
	job.Request = json.RawMessage(`"large"`)
	if o, err := q.Do(t.Context(), job, always, out); !errors.Is(err, dispatch.ErrLarge) {
		t.Errorf("%+v, %v", o, err)
	}
}

// contents: a job gets the contents of its session, of any size, and those alone.
func contents(t *testing.T, open opener) {
	list := [][]byte{[]byte("manifest"), {}, bytes.Repeat([]byte("0123456789abcdef"), 600_000), []byte("x")}
	for i := range 6000 {
		list = append(list, fmt.Append(nil, i))
	}
	q := open(t, 2, func(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		var want []dispatch.Content
		for _, data := range list {
			want = append(want, dispatch.Content{Hash: sha256.Sum256(data), Size: int64(len(data))})
		}
		all, err := out.Contents(ctx, want)
		if err != nil {
			return nil, err
		}
		if !slices.EqualFunc(all, list, bytes.Equal) {
			t.Error("other contents came")
		}
		if string(job.Request) == `"foreign"` {
			_, err = out.Contents(ctx, []dispatch.Content{{Hash: sha256.Sum256([]byte("foreign")), Size: 7}})
		}
		return &dispatch.Outcome{Result: json.RawMessage(`{}`)}, err
	})
	job := Job("alpha", "run_1", `{}`)
	cell, by := SessionOf(list...)
	job.Cell = cell
	out, _, _ := outputs()
	out.Contents, out.Became = From(by), func(*dispatch.Become) error { return nil }
	for range 3 {
		if _, err := q.Do(t.Context(), job, always, out); err != nil {
			t.Error(err)
		}
	}
	job.Request = json.RawMessage(`"foreign"`)
	if o, err := q.Do(t.Context(), job, always, out); err == nil {
		t.Errorf("a content of another session: %+v", o)
	}
}
