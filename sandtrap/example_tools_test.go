package sandtrap_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func Example_answers() {
	ctx := context.Background()
	price := func(dish string) (float64, error) { // a tool of the host
		if dish != "tea" {
			return 0, fmt.Errorf("no %s on the menu", dish)
		}
		return 3.5, nil
	}
	box, err := sandtrap.New(ctx, sandtrap.Policy{Funcs: map[string]any{"price": price}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, answer := range []string{ // from a model
		"Two cups:\n```go\ntea, err := price(\"tea\")\nif err != nil {\n\treturn err\n}\nreturn 2 * tea\n```",
		"return 2 * price(\"tea\")",
		"gold, err := price(\"gold\")\nif err != nil {\n\treturn err\n}\nreturn gold",
	} {
		var sum float64
		_, err := box.Run(ctx, sandtrap.Script{Text: answer, Result: &sum})
		fmt.Println(sum, err)
	}
	// Output:
	// 7 <nil>
	// 0 script.go:1:12: multiple-value price("tea") (value of type (float64, error)) in single-value context (give each value a variable first: v, err := price("tea"))
	// 0 script.go:3:9: no gold on the menu
}

func Example_tools() {
	prices := map[string]float64{"tea": 3.5, "cake": 4.25}
	price := func(ctx context.Context, name string) (float64, error) {
		if p, ok := prices[name]; ok {
			return p, nil
		}
		return 0, fmt.Errorf("no %s on the menu", name)
	}
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std:    []string{"fmt", "sync"},
		Limits: sandtrap.Limits{Timeout: time.Second, Memory: 64 << 20},
		Funcs:  map[string]any{"price": sandtrap.Member{Value: price, Blocking: true}, "shout": strings.ToUpper},
		Docs:   map[string]string{"price": "price is what a dish costs, in euros.", "shout": "shout is loud."},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, answer := range []string{ // such as a model writes
		`type Bill struct { Title string; Sum float64; Missing []string }
		result, mu, wg := Bill{Title: shout("tea time")}, sync.Mutex{}, sync.WaitGroup{}
		for _, dish := range []string{"tea", "cake", "gold"} {
			wg.Go(func() {
				p, err := price(dish)
				mu.Lock()
				defer mu.Unlock()
				result.Sum += p
				if err != nil { result.Missing = append(result.Missing, err.Error()) }
			})
		}
		wg.Wait()`,
		`result := struct{ Title, Sum string }{}`,
		`var menu map[string]int; menu["tea"]++; result := struct{ Title string; Sum float64; Missing []string }{}`,
		`result := struct{ Title string; Sum float64; Missing []string }{}; for {}`,
	} {
		var bill struct {
			Title   string
			Sum     float64
			Missing []string
		}
		_, err := box.Run(ctx, sandtrap.Script{Text: answer, Result: &bill})
		fmt.Println(bill, err, errors.Is(err, sandtrap.KindTimeout))
	}
	// Output:
	// {TEA TIME 7.75 [no gold on the menu]} <nil> false
	// { 0 []} script.go:1:1: result.Sum: string does not fit float64 (the host wants a struct or map[string]any with Title string, Sum float64, Missing []string) false
	// { 0 []} script.go:1:26: assignment to entry in nil map (a map has to be made before it is written to: m = make(map[K]V), also one that is in a struct or another map) false
	// { 0 []} script.go:1:68: the program did not end within 1s true
}
