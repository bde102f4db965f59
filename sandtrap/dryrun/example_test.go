package dryrun_test

import (
	"context"
	"fmt"
	"log"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// desk would ask a person.
type desk struct{}

func (desk) Ask(context.Context, []decide.Request) ([]decide.Answer, error) {
	log.Fatal("somebody is asked")
	return nil, nil
}

// A person sees what a script would do as a whole, before any of it is done.
func Example() {
	policy := sandtrap.Policy{
		Std: sandtrap.StdDefault(),
		Funcs: map[string]any{
			"search":   sandtrap.Member{Value: func(query string) []string { log.Fatal("called"); return nil }, Params: []string{"query"}},
			"sendMail": sandtrap.Member{Value: func(to, text string) error { log.Fatal("called"); return nil }, Params: []string{"to", "text"}, Risk: decide.High},
		},
		Files: &sandtrap.Files{},
		Guard: &guard.Policy{MaxRisk: decide.High, Approver: desk{}},
	}
	script := sandtrap.Script{Text: `
for _, page := range search("sandboxes") {
	if err := sendMail("ann@example.com", page); err != nil {
		return err
	}
}
return os.WriteFile("/sent.txt", []byte("all\n"), 0o600)`}

	plan, err := dryrun.Run(context.Background(), policy, script, dryrun.Options{
		Stubs: map[string]any{"search": func(string) []string { return []string{"a page", "another"} }},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(plan)
	// Output:
	// calls: 3
	//   1 search({"query":"sandboxes"}) at script.go:2
	//   2 sendMail({"to":"ann@example.com","text":"a page"}) at script.go:3: needs approval: its risk is high; answered with zero values
	//   3 sendMail({"to":"ann@example.com","text":"another"}) at script.go:3: needs approval: its risk is high; answered with zero values
	// files: 1
	//   added /sent.txt -rw------- 4 bytes
	//     @@ -0,0 +1,1 @@
	//     +all
}
