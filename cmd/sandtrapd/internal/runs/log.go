package runs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
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
	EventGap      EventKind = "gap"      // events that are not kept any more; without a number of them, those that may have been told of by a server that was killed
	EventResult   EventKind = "result"   // the last one
)

// An Event is a step of a run.
type Event struct {
	ID   int64           `json:"id"` // from 1, in order
	Kind EventKind       `json:"kind"`
	Time int64           `json:"time"` // Unix time in ms
	Data json.RawMessage `json:"data"`
}

// maxLog bounds the events that are kept of a run, in bytes. Of those before only their number is left. A reader gets some maxRead
// bytes at a time, or one event, so that one who is slow keeps no more than that.
const (
	maxLog    = 2 << 20
	maxRead   = 64 << 10
	eventSize = 100 // of one, beside its data
)

func (e *Event) size() int { return len(e.Data) + eventSize }

// A Log is the events of a run, for any number of readers, each at its own pace: none holds up the run.
type Log struct {
	mu     sync.Mutex
	events []Event
	size   int
	last   int64         // ID of the last one
	more   chan struct{} // closed when there is another one; nil if nobody waits for that
	over   bool
	kept   bool // the run goes on when the server has started again
}

func newLog(events []Event) *Log {
	l := &Log{events: events}
	for _, e := range events {
		l.size += e.size()
		l.last = e.ID
	}
	return l
}

// add adds an event.
func (l *Log) add(kind EventKind, at int64, data any) { l.addText(kind, at, encode(data)) }

func (l *Log) addText(kind EventKind, at int64, text json.RawMessage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	l.last++
	l.events = append(l.events, Event{l.last, kind, at, text})
	l.size += l.events[len(l.events)-1].size()
	for l.size > maxLog && len(l.events) > 1 {
		l.size -= l.events[0].size()
		l.events[0].Data = nil
		l.events = l.events[1:]
	}
	l.wake()
}

// wake has those who wait look again. The lock is held.
func (l *Log) wake() {
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}

// lost is more events than a run tells of between a pause and the next.
const lost = 1 << 40

// leap tells of a gap of events that may have been told of by a server that was killed: those after it have greater numbers.
func (l *Log) leap() {
	l.mu.Lock()
	l.last += lost
	l.mu.Unlock()
	l.add(EventGap, now(), struct{}{}) // nobody knows how many
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

// addResult adds the last event, with the worker that has done the run, none if it is empty. The result is JSON, and goes as it is into it if it
// is one line.
func (l *Log) addResult(state store.State, result json.RawMessage, worker string) {
	told := struct {
		Result json.RawMessage `json:"result"`
		State  store.State     `json:"state"`
		Worker string          `json:"worker,omitempty"`
	}{result, state, worker}
	if len(result) == 0 || bytes.IndexByte(result, '\n') >= 0 {
		l.add(EventResult, now(), told)
		return
	}
	told.Result = nil
	rest, err := json.Marshal(told) // {"result":null,...
	if err != nil {
		panic(err) // it has nothing that JSON has not
	}
	text := slices.Concat([]byte(`{"result":`), result, rest[len(`{"result":null`):])
	l.addText(EventResult, now(), text)
}

// end says that there are no more, or not before the server has started again.
func (l *Log) end(kept bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over, l.kept = true, kept
	l.wake()
}

// Kept reports that the run goes on when the server has started again, with the events that follow.
func (l *Log) Kept() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept
}

// After waits for events after the one with this ID. They are empty when there are no more, or ctx has ended. A gap is told of as an event.
func (l *Log) After(ctx context.Context, id int64) []Event {
	for {
		l.mu.Lock()
		list, over := l.after(id), l.over
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
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
	first := sort.Search(len(l.events), func(i int) bool { return l.events[i].ID > id })
	size := 0
	for _, e := range l.events[first:] {
		if size += e.size(); size > maxRead && len(list) > 0 {
			break
		}
		list = append(list, e)
	}
	if len(list) > 0 && list[0].ID-1 > id && list[0].Kind != EventGap {
		gap := Event{ID: list[0].ID - 1, Kind: EventGap, Time: list[0].Time, Data: encode(map[string]int64{"events": list[0].ID - id - 1})}
		list = append([]Event{gap}, list...)
	}
	return list
}

// lines are the events as lines of JSON.
func (l *Log) lines() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := make([]byte, 0, l.size)
	for i := range l.events {
		text = l.events[i].appendTo(text)
	}
	return text
}

// appendTo appends an event as a line of JSON. Its data is JSON already, and its kind a word.
func (e *Event) appendTo(text []byte) []byte {
	if len(e.Data) == 0 || !token.IsIdentifier(string(e.Kind)) {
		return append(append(text, encode(e)...), '\n')
	}
	text = strconv.AppendInt(append(text, `{"id":`...), e.ID, 10)
	text = append(append(text, `,"kind":"`...), e.Kind...)
	text = strconv.AppendInt(append(text, `","time":`...), e.Time, 10)
	text = append(append(text, `,"data":`...), e.Data...)
	return append(text, "}\n"...)
}

// parseLines reads that. The events have to be in order.
func parseLines(text []byte) (list []Event, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	for dec.More() {
		var e Event
		if err := dec.Decode(&e); err != nil {
			return nil, err
		}
		if last := len(list) - 1; e.ID < 1 || last >= 0 && e.ID <= list[last].ID {
			return nil, fmt.Errorf("an event with the number %d is out of order", e.ID)
		}
		list = append(list, e)
	}
	return list, nil
}

func newStream(log *Log, kind EventKind, told int64) *stream {
	s := &stream{log: log, kind: kind}
	s.told.Store(told)
	return s
}

// A stream is a Writer of output: its text becomes events, of maxText bytes at most.
type stream struct {
	log  *Log
	kind EventKind
	told atomic.Int64 // bytes in all
}

func (s *stream) Write(p []byte) (int, error) {
	s.told.Add(int64(len(p)))
	for text := string(p); ; {
		n := len(text)
		if n > maxText {
			n = runeEnd(text, maxText)
		}
		s.log.add(s.kind, now(), map[string]string{"text": text[:n]})
		if text = text[n:]; text == "" {
			return len(p), nil
		}
	}
}
