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

// A script asks for two approvals at once. The host keeps the journal, not a process, until it has the answers.
func Example() {
	policy := sandtrap.Policy{
		Std: sandtrap.StdDefault(),
		Funcs: map[string]any{
			"search": sandtrap.Member{Value: func(query string) []string { return []string{query + ".go", query + ".md"} }, Params: []string{"query"}},
			"approve": sandtrap.Member{
				Value: func(action string) bool { return false }, Params: []string{"action"}, Pauses: true,
			},
		},
	}
	script := `
var wg sync.WaitGroup
for _, file := range search("readme") {
	wg.Go(func() { fmt.Println(file, approve("delete " + file)) })
}
wg.Wait()`

	ctx := context.Background()
	box, err := durable.New(policy)
	if err != nil {
		log.Fatal(err)
	}
	_, pause, err := box.Start(ctx, sandtrap.Script{Text: script}, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := pause.Save(&file); err != nil {
		log.Fatal(err)
	}
	var answers []durable.Answer
	for _, p := range pause.Pending {
		fmt.Printf("%d %s%s at %s\n", p.ID, p.Name, p.Args, p.At)
		answers = append(answers, durable.Answer{ID: p.ID, Result: json.RawMessage("true")})
	}

	// The next day, in another process, with an isolation of the kernel if the policy says so:
	box, err = durable.New(policy)
	if err != nil {
		log.Fatal(err)
	}
	res, _, err := box.Resume(ctx, &file, nil, answers...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(res.Stdout)
	// Output:
	// 2 approve{"action":"delete readme.go"} at script.go:4
	// 3 approve{"action":"delete readme.md"} at script.go:4
	// readme.go true
	// readme.md true
}
