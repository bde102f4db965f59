// A host with a session for each user: what a user's cell declares is there in the next
// one, and nobody else's. A session can be written down and goes on later.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

var turns = []struct{ user, text string }{
	{"ann", `total := 0`},
	{"bob", `names := []string{"bob"}`},
	{"ann", `add := func(n int) int { total += n; return total }`},
	{"bob", `total`}, // ann's
	{"ann", `add(20)`},
	{"bob", `names = append(names, "rob"); len(names)`},
	{"ann", `add(22)`},
}

func main() {
	worker.Init() // with isolation process or kernel, workers are processes of this program
	isolation := flag.String("isolation", "none", "none, process or kernel")
	flag.Parse()
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Isolation: sandtrap.Isolation(*isolation), Std: sandtrap.StdPure(), Echo: sandtrap.EchoLast, Limits: sandtrap.Limits{Ticks: 100_000, Memory: 64 << 20}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	saved := map[string][]byte{}
	for _, t := range turns {
		session, err := open(box, saved[t.user])
		if err != nil {
			panic(err)
		}
		res, err := session.Run(ctx, sandtrap.Script{Text: t.text})
		for _, e := range res.Echo {
			fmt.Printf("%s: %s\n", t.user, e.Text)
		}
		if err != nil {
			fmt.Printf("%s: %v\n", t.user, err)
		}
		var state bytes.Buffer
		skipped, err := session.Save(&state)
		if err != nil {
			panic(err)
		}
		for name, why := range skipped {
			fmt.Printf("%s: %s is not saved: %s\n", t.user, name, why)
		}
		saved[t.user] = state.Bytes()
		session.Close()
	}
}

// open goes on with what was saved, or begins.
func open(box *sandtrap.Sandbox, state []byte) (*sandtrap.Session, error) {
	if state == nil {
		return box.Session()
	}
	return box.LoadSession(bytes.NewReader(state))
}
