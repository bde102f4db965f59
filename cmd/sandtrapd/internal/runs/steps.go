package runs

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A CallEvent is the data of an event of EventCall: a call of a function or a request that was allowed begins, or has ended.
type CallEvent struct {
	Phase    string          `json:"phase"`              // begin or end
	Sequence int64           `json:"sequence,omitempty"` // of the call in its run; an answer of a client has none
	Member   string          `json:"member"`
	Args     json.RawMessage `json:"args,omitempty"`        // of the begin, without secrets; null if they are longer than 4 KiB
	At       string          `json:"at,omitempty"`          // the place in the script
	Duration float64         `json:"duration_ms,omitempty"` // of the end
	Error    string          `json:"error,omitempty"`
	Status   int             `json:"status,omitempty"` // of the response to a request
	Sent     int64           `json:"sent,omitempty"`
	Received int64           `json:"received,omitempty"`
}

// A DecisionEvent is the data of an event of EventDecision: a call was allowed or denied, or somebody is asked, or has answered.
type DecisionEvent struct {
	Sequence int64  `json:"sequence"`
	Member   string `json:"member"`
	Decision string `json:"decision"` // allow, deny or ask
	Code     string `json:"code,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Reason   string `json:"reason,omitempty"`
	Risk     string `json:"risk,omitempty"`
	At       string `json:"at,omitempty"`
	By       string `json:"by,omitempty"` // who has answered
}

const (
	maxSteps = 512 << 10 // bytes of calls and decisions in the events of a run; the record has them all
	maxArgs  = 4 << 10   // bytes of the arguments of a call in an event
)

// steps are the calls and decisions of a live run.
type steps struct {
	mu   sync.Mutex
	size int
}

// Observe is told of each event of the record, without secrets, and has those of live runs in their events.
func (m *Manager) Observe(e record.Event) {
	if l := m.liveOf(e.Tenant, e.Run); l != nil {
		l.step(&e)
	}
}

// ObserveRequest is told of each event of a gate: requests that were refused are in the results of their runs.
func (m *Manager) ObserveRequest(e egress.Event) {
	if l := m.liveOf(e.Tenant, e.Run); l != nil {
		l.refusals.Observe(e)
	}
}

// liveOf is a run that goes on here, of a tenant, or of any with store.All; nil if there is none.
func (m *Manager) liveOf(tenant, run string) *live {
	m.mu.Lock()
	defer m.mu.Unlock()
	if l := m.live[run]; l != nil && (tenant == store.All || tenant == l.row.Tenant) {
		return l
	}
	return nil
}

// step makes events of one of the record.
func (l *live) step(e *record.Event) {
	decision := DecisionEvent{
		Sequence: e.Sequence, Member: e.Member, Decision: string(e.Decision), Code: string(e.Code), Rule: e.Rule, Reason: e.Reason,
		Risk: e.Risk.String(), At: e.At, By: e.By,
	}
	switch e.Kind {
	case record.KindApproval:
		l.tell(EventDecision, e.Time, decision)
	case record.KindAnswer, record.KindDecision:
		if e.Decision == record.Later {
			return // it was asked about, and the run waits
		}
		l.tell(EventDecision, e.Time, decision)
		if e.Kind == record.KindDecision && e.Decision == record.Allow && !ofFiles(e.Member) {
			l.tell(EventCall, e.Time, CallEvent{Phase: "begin", Sequence: e.Sequence, Member: e.Member, Args: short(e.Args), At: e.At})
		}
	case record.KindReturn:
		if e.Decision == record.Deny { // its results were refused
			l.tell(EventDecision, e.Time, decision)
		}
		if !ofFiles(e.Member) {
			l.tell(EventCall, e.Time, CallEvent{
				Phase: "end", Sequence: e.Sequence, Member: e.Member, At: e.At, Duration: math.Round(e.Duration.Seconds()*1e6) / 1e3, Error: e.Error,
				Status: e.Status, Sent: e.Sent, Received: e.Received,
			})
		}
	}
}

// tell adds an event, unless the run has had too many: the last one says so then.
func (l *live) tell(kind EventKind, at time.Time, data any) {
	text := encode(data)
	l.steps.mu.Lock()
	defer l.steps.mu.Unlock()
	before := l.steps.size
	if l.steps.size += len(text); before > maxSteps {
		return
	}
	if l.steps.size > maxSteps {
		kind, text = EventGap, encode(map[string]string{"of": "calls and decisions", "in": "/v1/runs/" + l.row.ID + "/record"})
	}
	if at.IsZero() { // of an event of the record that has the time of its write
		at = time.Now()
	}
	l.log.addText(kind, at.UnixMilli(), text)
}

// recordAnswers has the record tell that a run goes on, and who has answered its calls. The answers about approval are in the record when
// they are heard.
func (m *Manager) recordAnswers(l *live, answers []Answer) {
	if m.o.Trail == nil {
		return
	}
	subject := decide.Subject{Tenant: l.row.Tenant, Session: l.row.Session, Run: l.row.ID}
	list := []record.Event{{Kind: record.KindResume, Subject: subject}}
	var pending []runjson.Pending
	_ = json.Unmarshal(l.row.Pending, &pending) // it was written by this package
	for _, p := range pending {
		at := slices.IndexFunc(answers, func(a Answer) bool { return a.ID == p.ID && a.Verdict == "" })
		if at >= 0 {
			list = append(list, record.Event{Kind: record.KindReturn, Subject: subject, Member: p.Name, At: p.At, By: answers[at].By, Error: answers[at].Error})
		}
	}
	for _, e := range list {
		_ = m.o.Trail.Write(e) // a record that cannot be written gives its error to the start of the run too, and ends it
	}
}

// ofFiles reports that a member is an operation on files, which is decided about and is no call.
func ofFiles(member string) bool { return strings.HasPrefix(member, "file.") }

// short is arguments for an event.
func short(args json.RawMessage) json.RawMessage {
	if len(args) > maxArgs {
		return json.RawMessage("null")
	}
	return args
}
