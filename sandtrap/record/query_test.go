package record_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// queried is a record of nine events over several files, numbered by their sequences.
func queried(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "r")
	l := open(t, path, record.Options{MaxBytes: 1000})
	subject := func(tenant, session, run string) decide.Subject {
		return decide.Subject{Tenant: tenant, Session: session, Run: run}
	}
	for i, e := range []record.Event{
		{Kind: record.KindStart, Subject: subject("acme", "s1", "r1"), Script: "a.go"},
		{Kind: record.KindDecision, Subject: subject("acme", "s1", "r1"), Member: "mail.Send", Decision: record.Allow},
		{Kind: record.KindDecision, Subject: subject("acme", "s1", "r1"), Member: "mail.Read", Decision: record.Deny, Code: decide.RuleBlocks, Rule: "no-mail"},
		{Kind: record.KindAnswer, Subject: subject("acme", "s1", "r1"), Member: "file.write", Decision: record.Allow, By: "ann"},
		{Kind: record.KindReturn, Subject: subject("acme", "s1", "r1"), Member: "mail.Send", Error: "no route"},
		{Kind: record.KindEnd, Subject: subject("acme", "s1", "r1"), Outcome: "panic", Error: "boom"},
		{Kind: record.KindStart, Subject: subject("acme2", "s2", "r2"), Script: "b.go"},
		{Kind: record.KindDecision, Subject: subject("acme2", "s2", "r2"), Member: "mail*", Decision: record.Deny, Code: decide.RateReached},
		{Kind: record.KindEnd, Subject: subject("acme2", "s2", "r2"), Outcome: "ok"},
	} {
		e.Sequence = int64(i + 1)
		e.Time = time.Date(2026, 1, 1, 0, i+1, 0, 0, time.UTC)
		if err := l.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestQuery: each filter, alone and with others.
func TestQuery(t *testing.T) {
	path := queried(t)
	yes, no := true, false
	at := func(minute int) time.Time { return time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC) }
	for _, tc := range []struct {
		q    record.Query
		want string
	}{
		{record.Query{Kind: "*", Since: at(0), Until: at(60), Tenant: "*", Offset: 100}, ""},
		{record.Query{Tenant: "acme"}, "1 2 3 4 5 6"},
		{record.Query{Tenant: "acme*"}, "1 2 3 4 5 6 7 8 9"},
		{record.Query{Tenant: "acme*", Offset: 3, Limit: 2}, "4 5"},
		{record.Query{Tenant: "acme*", Limit: 1}, "1"},
		{record.Query{Session: "s2"}, "7 8 9"},
		{record.Query{Run: "r*", Kind: "start"}, "1 7"},
		{record.Query{Kind: "decision"}, "2 3 8"},
		{record.Query{Member: "mail.*"}, "2 3 5"},
		{record.Query{Member: "mail*"}, "2 3 5 8"},
		{record.Query{Member: "MAIL.Send"}, ""},
		{record.Query{Script: "b.go"}, "7"},
		{record.Query{Decision: "allow"}, "2 4"},
		{record.Query{Code: "r*"}, "3 8"},
		{record.Query{Code: "rate"}, "8"},
		{record.Query{Rule: "no-mail"}, "3"},
		{record.Query{By: "a*"}, "4"},
		{record.Query{Outcome: "panic"}, "6"},
		{record.Query{Failed: &yes}, "3 5 6 8"},
		{record.Query{Failed: &no, Tenant: "acme*"}, "1 2 4 7 9"},
		{record.Query{Since: at(3), Until: at(5)}, "3 4"},
		{record.Query{Tenant: "acme", Decision: "deny", Code: "rule", Member: "mail.R*"}, "3"},
		{record.Query{Tenant: "acme2", Code: "rule"}, ""},
	} {
		var got []string
		if err := tc.q.ReadFiles(path, func(e record.Event) error {
			if e.Kind != record.KindFile {
				got = append(got, fmt.Sprint(e.Sequence))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%+v: %v, want %s", tc.q, got, tc.want)
		}
	}
}

// TestQueryEnds: an error of the function ends the query, and a bad line is named.
func TestQueryEnds(t *testing.T) {
	path, stop, n := queried(t), errors.New("stop"), 0
	err := record.Query{}.ReadFiles(path, func(record.Event) error { n++; return stop })
	if err != stop || n != 1 {
		t.Error(n, err)
	}
	err = record.Query{}.Read(strings.NewReader("{}\nnothing\n"), func(record.Event) error { return nil })
	if badLine(t, err) != 2 {
		t.Error(err)
	}
	if err := (record.Query{}).ReadFiles(path+"x", func(record.Event) error { return nil }); err == nil {
		t.Error("a record that is not there is read")
	}
}
