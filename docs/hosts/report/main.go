// A host that wants a struct of its own from a script, and gets it, or an error that says
// which part does not fit.
package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// A Report is what the host works with.
type Report struct {
	Title string
	Items []Item
}

// An Item is a line of it.
type Item struct {
	Name  string
	Price float64
}

func main() {
	worker.Init() // with isolation process or kernel, workers are processes of this program
	isolation := flag.String("isolation", "none", "none, process or kernel")
	flag.Parse()
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Isolation: sandtrap.Isolation(*isolation)})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, text := range []string{`
type item struct { Name string; Price int }
type report struct { Title string; Items []item }
result := report{"fruit", []item{{"fig", 3}, {"plum", 2}}}
`, `
type item struct { Name string; Price string }
type report struct { Title string; Items []item }
result := report{"fruit", []item{{"fig", "three"}}}
`} {
		var r Report
		_, err := box.Run(ctx, sandtrap.Script{Text: text, Result: &r})
		fmt.Printf("%+v %v\n", r, err)
	}
}
