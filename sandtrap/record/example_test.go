package record_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

func Example() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "record.jsonl")

	l, err := record.Open(path, record.Options{Sync: true})
	if err != nil {
		log.Fatal(err)
	}
	err = l.Write(record.Event{
		Kind: record.KindDecision, Member: "mail.Send", Decision: record.Allow,
		Args: json.RawMessage(`{"to":"ann","password":"hunter2"}`),
	})
	if err != nil {
		log.Fatal(err) // what the event tells of should not happen
	}
	if err := l.Close(); err != nil {
		log.Fatal(err)
	}

	summary, err := record.VerifyFiles(path, nil)
	fmt.Println(summary.Last, "lines,", err)
	err = record.Query{Member: "mail.*"}.ReadFiles(path, func(e record.Event) error {
		fmt.Println(e.Decision, e.Member, string(e.Args))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2 lines, <nil>
	// allow mail.Send {"to":"ann","password":"[redacted]"}
}
