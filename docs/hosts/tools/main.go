// A host that gives a snippet two tools, and takes a struct from it. The second snippet
// fails, the third does not end.
package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
)

// Trip is what the host wants to know.
type Trip struct {
	City  string
	Price float64
}

var prices = map[string]float64{"Oslo": 210.5, "Rome": 180, "Bern": 240}

// price asks a service, which takes a while and does not know all cities.
func price(city string) (float64, error) {
	time.Sleep(20 * time.Millisecond)
	p, ok := prices[city]
	if !ok {
		return 0, fmt.Errorf("no flights to %s", city)
	}
	return p, nil
}

const cheapest = "```go" + `
type trip struct { City string; Price float64 }
found := make(chan trip)
for _, city := range cities() {
	go func() {
		p, err := price(city)
		if err != nil {
			fmt.Println("skipped:", err)
		}
		found <- trip{city, p}
	}()
}
result := trip{Price: math.Inf(1)}
for range cities() {
	if t := <-found; t.Price > 0 && t.Price < result.Price {
		result = t
	}
}
` + "```"

func main() {
	worker.Init() // with isolation process or kernel, workers are processes of this program
	isolation := flag.String("isolation", "none", "none, process or kernel")
	flag.Parse()
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Isolation: sandtrap.Isolation(*isolation),
		Std:       []string{"fmt", "math"},
		Limits:    sandtrap.Limits{Timeout: time.Second, Memory: 64 << 20},
		Funcs: map[string]any{
			"price":  sandtrap.Member{Value: price, Blocking: true},
			"cities": func() []string { return []string{"Oslo", "Rome", "Atlantis", "Bern"} },
		},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	const trip = "type trip struct { City string; Price float64 }\n"
	for _, text := range []string{cheapest, trip + `result := trip{City: cities()[9]}`, trip + `var result trip; for { price("Rome") }`} {
		var got Trip
		res, err := box.Run(ctx, sandtrap.Script{Text: text, Result: &got})
		fmt.Printf("%sresult %+v, error %v\n", res.Stdout, got, err)
	}
}
