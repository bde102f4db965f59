package journal

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/script"
)

// TestFull: what a log has written can be read, however long a session goes on: it takes no line that Read would refuse.
func TestFull(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes a million lines")
	}
	f := &File{Header: Header{Session: true}}
	c := f.AddCell(Script{})
	for i := range maxLines - 10 {
		c.Returns = append(c.Returns, Return{Call: i + 1, Rest: int64(i + 1)})
	}
	var text bytes.Buffer
	l := NewLog(&text, nil)
	if err := l.Begin(f); err != nil {
		t.Fatal(err)
	}
	var full error
	for n := maxLines - 9; full == nil && n < maxLines+10; n++ {
		full = l.add(&Return{Call: n, Rest: int64(n)})
	}
	if full == nil || !strings.Contains(full.Error(), "1048577 lines") {
		t.Error(full)
	}
	if _, err := Read(&text, nil); err != nil {
		t.Error(err)
	}
}

// TestLastCall: a call has no number that Read would refuse.
func TestLastCall(t *testing.T) {
	r := New(&File{IsCell: true, Before: maxLines - 1}, nil, false, false, func(string) bool { return false }, nil, nil)
	made := 0
	for n := maxLines; n < maxLines+3; n++ {
		r.do(script.WithCall(context.Background(), script.Call{Number: n}), "f", nil, nil, &Outcome{}, func() *Outcome {
			made++
			r.Close() // nobody is there to take it
			return &Outcome{}
		})
		r.over = false
	}
	if made != 1 || r.Diverged() == nil {
		t.Error(made, r.Diverged())
	}
}
