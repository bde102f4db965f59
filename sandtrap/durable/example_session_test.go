package durable_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// A chat runs one script for each turn. The second one asks a person, who answers when the process of the host has ended.
func Example_session() {
	policy := sandtrap.Policy{
		Std: sandtrap.StdDefault(),
		Funcs: map[string]any{
			"confirm": sandtrap.Member{Value: func(question string) bool { return false }, Params: []string{"question"}, Pauses: true},
		},
	}
	ctx := context.Background()
	box, err := durable.New(policy)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // of the session, as it grows
	s, err := box.Session(&file)
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := s.Run(ctx, sandtrap.Script{Text: `files := []string{"a.txt", "b.txt"}`}); err != nil {
		log.Fatal(err)
	}
	_, pause, err := s.Run(ctx, sandtrap.Script{Text: `if confirm(fmt.Sprint("delete ", files, "?")) { files = nil }`})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pause.Pending[0].Name, string(pause.Pending[0].Args))
	s.Close()

	// The next day, in another process:
	box, err = durable.New(policy)
	if err != nil {
		log.Fatal(err)
	}
	s, err = box.LoadSession(bytes.NewReader(file.Bytes()), nil) // the Writer would be that of a new file
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	if _, _, err := s.Resume(ctx, durable.Answer{ID: s.Pending()[0].ID, Result: json.RawMessage("true")}); err != nil {
		log.Fatal(err)
	}
	res, _, err := s.Run(ctx, sandtrap.Script{Text: `fmt.Println(len(files), "files")`})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(res.Stdout)
	// Output:
	// confirm {"question":"delete [a.txt b.txt]?"}
	// 0 files
}
