package toolfile_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

func Example() {
	file, err := toolfile.Parse("tools.go", []byte(`package tools

// Hit is a found page.
type Hit struct {
	Title string  `+"`json:\"title\"`"+` // as its head says
	Score float64 `+"`json:\"score,omitempty\"`"+`
}

// Search finds pages.
func Search(query string, limit int) ([]Hit, error)
`))
	if err != nil {
		panic(err)
	}
	client := func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
		fmt.Println(name, string(args))
		return json.RawMessage(`[{"title": "Gophers", "score": 0.5}]`), nil
	}
	plan, err := sandtrap.Compile(sandtrap.Policy{Funcs: file.Members(client), Docs: file.Docs()})
	if err != nil {
		panic(err)
	}
	reference, err := plan.Reference()
	if err != nil {
		panic(err)
	}
	fmt.Print(reference)
	box, err := plan.New(context.Background())
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `
hits, err := Search("go <3", 10)
if err != nil {
	return err
}
best := Hit{Title: "none"}
for _, h := range hits {
	if h.Score > best.Score {
		best = h
	}
}
return best.Title`})
	fmt.Println(res.Vars["result"], err)
	// Output:
	// // There without import:
	//
	// package main
	//
	// // Search finds pages.
	// func Search(query string, limit int) ([]Hit, error)
	//
	// // Hit is a found page.
	// type Hit struct {
	// 	// as its head says
	// 	Title string  `json:"title"`
	// 	Score float64 `json:"score,omitempty"`
	// }
	//
	// Search {"query":"go <3","limit":10}
	// Gophers <nil>
}
