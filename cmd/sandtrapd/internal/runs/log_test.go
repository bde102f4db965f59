package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestLogBound: a log keeps the newest events within its bound, tells how many it does not keep, and gives a reader little at a time.
func TestLogBound(t *testing.T) {
	l := newLog(nil)
	text := strings.Repeat("x", 1000)
	const n = 10_000
	for range n {
		l.add(EventStdout, 1, map[string]string{"text": text})
	}
	l.end(false)
	if size := len(l.lines()); size > maxLog*11/10 {
		t.Errorf("it keeps %d bytes", size)
	}
	var after, events, gaps int64
	for {
		list := l.After(t.Context(), after)
		if len(list) == 0 {
			break
		}
		size := 0
		for _, e := range list {
			size += len(e.Data)
			if e.Kind == EventGap {
				var gap struct{ Events int64 }
				if err := json.Unmarshal(e.Data, &gap); err != nil {
					t.Fatal(err)
				}
				gaps += gap.Events
			} else {
				events++
			}
			after = e.ID
		}
		if size > maxRead {
			t.Errorf("a reader gets %d bytes at a time", size)
		}
	}
	if events+gaps != n || gaps == 0 || after != n {
		t.Errorf("%d events, and %d that are not kept; the last is %d", events, gaps, after)
	}
}

// TestLogSmall: events without much text are bounded too.
func TestLogSmall(t *testing.T) {
	l := newLog(nil)
	for range 200_000 {
		l.add(EventStdout, 1, 1)
	}
	if n := len(l.events); n > maxLog/eventSize {
		t.Errorf("%d events", n)
	}
}

// TestLogWaits: a reader waits for the next event, until there are no more, or it is gone.
func TestLogWaits(t *testing.T) {
	l := newLog(nil)
	got := make(chan []Event)
	go func() { got <- l.After(context.Background(), 0) }()
	l.add(EventStart, 1, nil)
	if list := <-got; len(list) != 1 || list[0].ID != 1 {
		t.Errorf("%v", list)
	}
	go func() { got <- l.After(context.Background(), 1) }()
	l.end(true)
	if list := <-got; len(list) != 0 || !l.Kept() {
		t.Errorf("%v", list)
	}
	l.add(EventStdout, 1, "late")
	if list := l.After(t.Context(), 1); len(list) != 0 {
		t.Errorf("after the end: %v", list)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if list := newLog(nil).After(gone, 0); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// FuzzLines: lines of a log are read as they were written, and others are an error or events that a log can have.
func FuzzLines(f *testing.F) {
	l := newLog(nil)
	l.add(EventStart, 1, map[string]string{"id": "run_x"})
	l.add(EventStdout, 2, map[string]string{"text": "a\xff<\u2028\n\"\x00"})
	l.add(EventResult, 3, json.RawMessage(`{"a":[1,null]}`))
	f.Add(l.lines())
	f.Add([]byte(`{"id":2,"kind":"stdout","time":1,"data":{}}{"id":1}`))
	f.Add([]byte(`{"id":9223372036854775807,"kind":"gap"}` + "\n"))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseLines(text)
		if err != nil {
			return
		}
		var last int64
		for _, e := range list {
			if e.ID <= last {
				t.Fatalf("event %d comes after %d", e.ID, last)
			}
			last = e.ID
		}
		log := newLog(list)
		lines := log.lines()
		again, err := parseLines(lines)
		if err != nil || !bytes.Equal(newLog(again).lines(), lines) {
			t.Fatalf("%v: %q is read, and written as %q", err, lines, newLog(again).lines())
		}
		log.end(false)
		for after := int64(0); ; {
			page := log.After(t.Context(), after)
			if len(page) == 0 {
				break
			}
			if next := page[len(page)-1].ID; next <= after {
				t.Fatalf("after %d comes %d", after, next)
			} else {
				after = next
			}
		}
	})
}

// TestLines: events are kept as package json writes them.
func TestLines(t *testing.T) {
	l := newLog(nil)
	l.add(EventStart, 1<<60, map[string]string{"id": "run_x"})
	l.add(EventStdout, -2, map[string]string{"text": "a\xff<\u2028\n\"\x00"})
	l.add(EventKind("a\"\\\n"), 3, nil)
	l.events = append(l.events, Event{ID: 9, Kind: EventGap})
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	for _, e := range l.events {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := l.lines(); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s\nwant %s", got, want.Bytes())
	}
}

// TestLogResult: the last event has the result as it is, in one line whatever it is.
func TestLogResult(t *testing.T) {
	for _, result := range []string{`{"a":"<b>"}`, "{\n\"a\": 1}", ""} {
		l, want := newLog(nil), newLog(nil)
		l.addResult(store.Done, json.RawMessage(result), "")
		want.add(EventResult, l.events[0].Time, map[string]any{"state": store.Done, "result": json.RawMessage(result)})
		if got := l.lines(); !bytes.Equal(got, want.lines()) || bytes.Count(got, []byte("\n")) != 1 {
			t.Errorf("%s, want %s", got, want.lines())
		}
	}
}
