package record_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// BenchmarkWrite is an event with arguments, into each kind of sink.
func BenchmarkWrite(b *testing.B) {
	key, _ := newKey(b)
	known := new(record.Redactor)
	if err := known.AddValues("correct horse", "battery staple", "xoxb-1234567890"); err != nil {
		b.Fatal(err)
	}
	log := func(o record.Options) func(b *testing.B) record.Sink {
		return func(b *testing.B) record.Sink { return open(b, filepath.Join(b.TempDir(), "r"), o) }
	}
	for _, tc := range []struct {
		name string
		sink func(*testing.B) record.Sink
	}{
		{"log", log(record.Options{})},
		{"log, 3 values", log(record.Options{Redact: known})},
		{"log, signed", log(record.Options{Key: key})},
		{"log, synced", log(record.Options{Sync: true})},
		{"slog", func(*testing.B) record.Sink { return record.Slog(slog.New(slog.NewJSONHandler(io.Discard, nil))) }},
		{"func", func(*testing.B) record.Sink { return record.Func(func(record.Event) error { return nil }) }},
	} {
		b.Run(tc.name, func(b *testing.B) {
			s, e := tc.sink(b), record.Event{
				Kind: record.KindDecision, Subject: decide.Subject{Tenant: "acme", Session: "s-4711", Run: "r-0815"},
				Sequence: 7, Process: 4242, Member: "mail.Send", Hash: strings.Repeat("0123456789abcdef", 4), At: "main.go:12", Risk: decide.High,
				Args:     json.RawMessage(`{"to":"ann@example.com","subject":"Hello","attachments":[{"name":"a.txt","size":12}]}`),
				Decision: record.Deny, Code: decide.RuleBlocks, Rule: "no-mail", Reason: "mail goes to example.org only",
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Write(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkVerify is a line of a record.
func BenchmarkVerify(b *testing.B) {
	path := filepath.Join(b.TempDir(), "r")
	write(b, path, record.Options{}, 10_000)
	for b.Loop() {
		if _, err := record.VerifyFiles(path, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/line")
}
