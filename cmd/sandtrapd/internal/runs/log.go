package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
)

// An EventKind says what an event tells of. Kinds are part of the API: the list is append-only.
type EventKind string

// The kinds.
const (
	EventStart    EventKind = "start"
	EventStdout   EventKind = "stdout"
	EventStderr   EventKind = "stderr"
	EventCall     EventKind = "call"     // of a function, or a request, which begins or has ended: a CallEvent
	EventDecision EventKind = "decision" // about a call: a DecisionEvent
	EventPause    EventKind = "pause"    // it waits for answers
	EventResume   EventKind = "resume"   // it goes on
	EventGap      EventKind = "gap"      // events that are not kept any more
	EventResult   EventKind = "result"   // the last one
)

// An Event is a step of a run.
type Event struct {
	ID   int64           `json:"id"` // from 1, in order
	Kind EventKind       `json:"kind"`
	Time int64           `json:"time"` // Unix time in ms
	Data json.RawMessage `json:"data"`
}

// maxLog bounds the events that are kept of a run, in bytes. Of those before only their number is left.
const maxLog = 2 << 20

// A Log is the events of a run, for any number of readers, each at its own pace: none holds up the run.
type Log struct {
	mu     sync.Mutex
	events []Event
	size   int
	last   int64         // ID of the last one
	more   chan struct{} // closed when there is another one
	over   bool
}

func newLog(events []Event) *Log {
	l := &Log{events: events, more: make(chan struct{})}
	for _, e := range events {
		l.size += len(e.Data)
		l.last = e.ID
	}
	return l
}

// add adds an event.
func (l *Log) add(kind EventKind, at int64, data any) {
	text := encode(data)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	l.events = append(l.events, Event{l.last, kind, at, text})
	l.size += len(text)
	for l.size > maxLog && len(l.events) > 1 {
		l.size -= len(l.events[0].Data)
		l.events = l.events[1:]
	}
	close(l.more)
	l.more = make(chan struct{})
}

// encode is data in JSON, with < as it is.
func encode(data any) json.RawMessage {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(data); err != nil {
		text.Reset()
		text.WriteString("null")
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// end says that there are no more.
func (l *Log) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	close(l.more)
	l.more = make(chan struct{})
}

// After waits for events after the one with this ID. They are empty when there are no more, or ctx has ended. A gap is told of as an event.
func (l *Log) After(ctx context.Context, id int64) []Event {
	for {
		l.mu.Lock()
		list, more, over := l.after(id), l.more, l.over
		l.mu.Unlock()
		if len(list) > 0 || over {
			return list
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil
		}
	}
}

func (l *Log) after(id int64) (list []Event) {
	for _, e := range l.events {
		if e.ID > id {
			list = append(list, e)
		}
	}
	if len(list) > 0 && list[0].ID > id+1 {
		gap := Event{ID: list[0].ID - 1, Kind: EventGap, Time: list[0].Time, Data: encode(map[string]int64{"events": list[0].ID - id - 1})}
		list = append([]Event{gap}, list...)
	}
	return list
}

// lines are the events as lines of JSON.
func (l *Log) lines() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	var text bytes.Buffer
	for _, e := range l.events {
		text.Write(encode(e))
		text.WriteByte('\n')
	}
	return text.Bytes()
}

// parseLines reads that.
func parseLines(text []byte) (list []Event, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for dec.More() {
		var e Event
		if err := dec.Decode(&e); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// A stream is a Writer of output: its text becomes events. Of the first bytes, which a run that is repeated prints again, it is silent.
type stream struct {
	run  *live
	kind EventKind

	mu   sync.Mutex
	skip int64 // bytes that were told of before
	told int64 // bytes in all
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := p
	if s.skip > 0 {
		n := min(s.skip, int64(len(text)))
		s.skip -= n
		text = text[n:]
	}
	if len(text) > 0 {
		s.told += int64(len(text))
		s.run.log.add(s.kind, now(), map[string]string{"text": string(text)})
	}
	return len(p), nil
}
