package durable_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// A desk is an approver who is not there: each request is put on a list for later.
type desk struct{}

func (desk) Ask(_ context.Context, requests []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range requests {
		fmt.Printf("on the list: %s%s, since %s\n", r.Member, r.Args, r.Reason)
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Later})
	}
	return answers, nil
}

// agent is the policy of an agent with three tools: it may search, and write files since that is granted, and each mail needs
// approval. deleteAll is refused.
func agent() sandtrap.Policy {
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(),
		Funcs: map[string]any{
			"search":    sandtrap.Member{Value: func(query string) []string { return []string{query + ".md"} }, Params: []string{"query"}},
			"writeFile": sandtrap.Member{Value: func(path, text string) error { fmt.Println("written:", path); return nil }, Params: []string{"path", "text"}, Risk: decide.Medium},
			"sendMail":  sandtrap.Member{Value: func(to, text string) error { fmt.Println("sent to", to); return nil }, Params: []string{"to", "text"}, Risk: decide.High},
			"deleteAll": sandtrap.Member{Value: func() error { fmt.Println("deleted"); return nil }, Risk: decide.Critical},
		},
		Guard: &guard.Policy{
			MaxRisk:  decide.High,
			Grants:   []guard.Grant{{Members: []string{"writeFile"}, Reason: "its files are in a directory of its own"}},
			Approver: desk{},
		},
	}
}

// An agent's script waits for approval of a mail. The process ends, and the next day another one goes on with the answer.
func Example_approval() {
	const script = `pages := search("go")
fmt.Println(writeFile("notes.txt", pages[0]))
fmt.Println(deleteAll())
fmt.Println(sendMail("ann@example.com", "see notes.txt"))`
	box, err := durable.New(agent())
	if err != nil {
		log.Fatal(err)
	}
	_, pause, err := box.Start(context.Background(), sandtrap.Script{Text: script}, nil)
	if err != nil || pause == nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // kept wherever the host keeps things
	if err := pause.Save(&file); err != nil {
		log.Fatal(err)
	}
	fmt.Println("it waits for", pause.Pending[0].Name)

	box, err = durable.New(agent())
	if err != nil {
		log.Fatal(err)
	}
	res, _, err := box.Resume(context.Background(), &file, nil, durable.Answer{ID: pause.Pending[0].ID, Verdict: decide.Approve, By: "ann"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(res.Stdout)
	// Output:
	// written: notes.txt
	// on the list: sendMail{"to":"ann@example.com","text":"see notes.txt"}, since its risk is high
	// it waits for sendMail
	// sent to ann@example.com
	// <nil>
	// deleteAll is not allowed: its risk is critical, and the policy allows high at most (calling it again does not help; use functions with less risk)
	// <nil>
}
