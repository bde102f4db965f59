package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// A RecordEvent is a decision about a call of a script, or a step of a run, as the record has it. All fields but Time and Kind may be empty.
type RecordEvent struct {
	Time     time.Time       `json:"time"`
	Kind     string          `json:"kind"` // start, decision, approval, answer, return, warning, pause, resume, end, syscall, use, ...
	Tenant   string          `json:"tenant"`
	Session  string          `json:"session"`
	Run      string          `json:"run"`
	Sequence int64           `json:"sequence"` // of the call in its run, from 1
	Member   string          `json:"member"`   // what is called
	Args     json.RawMessage `json:"args"`     // without secrets
	Hash     string          `json:"args_hash"`
	At       string          `json:"at"` // position in the script, file:line
	Decision string          `json:"decision"`
	Code     string          `json:"code"` // of the gate that refused
	Rule     string          `json:"rule"`
	Reason   string          `json:"reason"`
	By       string          `json:"by"` // who answered
	Duration time.Duration   `json:"duration_ns"`
	Outcome  string          `json:"outcome"` // of the end: ok or the kind of the error
	Error    string          `json:"error"`
	Ticks    int64           `json:"ticks"`
	Status   int             `json:"status"`   // of the response to a request
	Sent     int64           `json:"sent"`     // bytes of a request
	Received int64           `json:"received"` // bytes of its response
}

// A RecordQuery says which events a list has. The zero RecordQuery is for all of the tenant.
type RecordQuery struct {
	Run, Member, Kind, Decision string    // Member is as mail.Send; mail.* is all that begins so
	Since, Until                time.Time // Until is no part of it
	Tenant                      string    // empty is that of the key, * all; others than that of the key need the role operator
}

func (q *RecordQuery) values() url.Values {
	return set("run", q.Run, "member", q.Member, "kind", q.Kind, "decision", q.Decision, "since", at(q.Since), "until", at(q.Until), "tenant", q.Tenant)
}

type recordList struct {
	Events []RecordEvent `json:"events"`
	Next   string        `json:"next_cursor"`
}

func (l *recordList) page() ([]RecordEvent, string) { return l.Events, l.Next }

// Record has the events that match, the oldest first. Pages are got as they are needed. An error is the last element.
func (c *Client) Record(ctx context.Context, q RecordQuery) iter.Seq2[RecordEvent, error] {
	return pages(ctx, c, "/v1/record", q.values(), (*recordList).page)
}

// RunRecord has the events of a run, the oldest first. An error is the last element.
func (c *Client) RunRecord(ctx context.Context, id string) iter.Seq2[RecordEvent, error] {
	return pages(ctx, c, in("/v1/runs/%s/record", id), set(), (*recordList).page)
}

// A Verified says whether the record is as it was written.
type Verified struct {
	OK     bool       `json:"ok"`
	Files  int        `json:"files"`
	First  int64      `json:"first"`  // number of the first line that is kept
	Last   int64      `json:"last"`   // number of the last line
	Signed int64      `json:"signed"` // number of the last line that the checkpoint covers
	Error  *BadRecord `json:"error"`  // nil if it is
}

// A BadRecord is about the first line of the record that is bad.
type BadRecord struct {
	File    string `json:"file"`
	Line    int64  `json:"line"` // in the file, from 1; 0 if it is about no line
	Message string `json:"message"`
}

// VerifyRecord checks that no line of the record was changed, removed, moved or cut off. It needs a key of an operator.
func (c *Client) VerifyRecord(ctx context.Context) (*Verified, error) {
	var v Verified
	if err := c.call(ctx, request{method: http.MethodPost, path: "/v1/record/verify"}, &v); err != nil {
		return nil, err
	}
	return &v, nil
}
