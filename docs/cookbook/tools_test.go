package cookbook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolschema"
)

// Example_tool: Give a tool a context. The context ends with the run, so a tool does not outlive the deadline.
func Example_tool() {
	ctx := context.Background()
	fetch := func(ctx context.Context, page int) (string, error) {
		select {
		case <-time.After(time.Duration(page) * time.Millisecond):
			return fmt.Sprint("page ", page), nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: sandtrap.StdPure(), Funcs: map[string]any{"fetch": fetch}, Limits: sandtrap.Limits{Timeout: 500 * time.Millisecond},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, text := range []string{`fmt.Println(fetch(1))`, `fmt.Println(fetch(60_000))`} {
		res, err := box.Run(ctx, sandtrap.Script{Text: text})
		fmt.Println(res.Stdout, errors.Is(err, sandtrap.KindTimeout))
	}
	// Output:
	// page 1 <nil>
	//  false
	//  true
}

// Example_reference: Tell a model which tools there are, as Go declarations.
func Example_reference() {
	type Order struct {
		ID    string  `json:"id"`
		Total float64 `json:"total"`
	}
	orders := func(ctx context.Context, customer string, limit int) ([]Order, error) { return nil, nil }
	plan, err := sandtrap.Compile(sandtrap.Policy{
		Std: []string{"fmt", "strings"},
		Funcs: map[string]any{"orders": sandtrap.Member{
			Value: orders, Params: []string{"customer", "limit"}, Doc: "orders are the last ones of a customer.",
		}},
		Docs: map[string]string{"Order.Total": "in euros"},
	})
	if err != nil {
		panic(err)
	}
	text, err := plan.Reference()
	fmt.Print(text, err)
	// Output:
	// // There without import:
	//
	// package main
	//
	// // orders are the last ones of a customer.
	// func orders(customer string, limit int) ([]Order, error)
	//
	// type Order struct {
	// 	ID string `json:"id"`
	// 	// in euros
	// 	Total float64 `json:"total"`
	// }
	//
	// // Of the standard library there are, not always with all of their members: fmt, strings
	// <nil>
}

// Example_schema: Offer the same tools in JSON Schema, for a model that calls them one by one.
func Example_schema() {
	policy := sandtrap.Policy{Funcs: map[string]any{"weather": sandtrap.Member{
		Value: func(city string, days int) ([]string, error) { return nil, nil }, Params: []string{"city", "days"}, Doc: "A forecast.",
	}}}
	tools, err := toolschema.Of(policy)
	if err != nil {
		panic(err)
	}
	in, _ := json.Marshal(tools[0].Input)
	out, _ := json.Marshal(tools[0].Output)
	fmt.Println(tools[0].Name, tools[0].Description)
	fmt.Println(string(in))
	fmt.Println(string(out))
	// Output:
	// weather A forecast.
	// {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city","days"],"additionalProperties":false}
	// {"type":["null","array"],"items":{"type":"string"}}
}

// Example_toolfile: Declare tools in a file, and implement them in another language. Arguments and results are JSON:
// the Call of a host hands them to a client, by a pipe or over a network.
func Example_toolfile() {
	ctx := context.Background()
	file, err := toolfile.Parse("tools.go", []byte(`package tools

// Hit is a found page.
type Hit struct {
	Title string
	Score float64
}

// Search finds pages.
func Search(query string, limit int) ([]Hit, error)`))
	if err != nil {
		panic(err)
	}
	client := func(_ context.Context, name string, args json.RawMessage) (json.RawMessage, error) {
		fmt.Println(name, string(args)) // this goes to the client
		return json.RawMessage(`[{"Title": "Gophers", "Score": 0.5}, {"Title": "Moles", "Score": "low"}]`), nil
	}
	box, err := sandtrap.New(ctx, sandtrap.Policy{Funcs: file.Members(client), Docs: file.Docs()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	_, err = box.Run(ctx, sandtrap.Script{Text: `
hits, err := Search("animals", 2)
if err != nil {
	return err
}
return hits[0].Title`})
	fmt.Println(err)
	// Output:
	// Search {"query":"animals","limit":2}
	// script.go:4:9: Search: result[1].Score: a string does not fit float64
}

// Example_parallel: Let a script wait for many tools at once. While a call of a Member with Blocking waits, the other
// goroutines of the script run.
func Example_parallel() {
	ctx := context.Background()
	slow := func(n int) int { time.Sleep(20 * time.Millisecond); return n * n }
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: sandtrap.StdPure(), Funcs: map[string]any{"slow": sandtrap.Member{Value: slow, Blocking: true}},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: `
sums := make(chan int)
for i := range 50 {
	go func() { sums <- slow(i) }()
}
total := 0
for range 50 {
	total += <-sums
}`})
	fmt.Println(res.Vars["total"], err, res.Duration < 500*time.Millisecond) // one by one they take a second
	// Output: 40425 <nil> true
}

// counter is what a script may count with.
type counter struct{ n int }

func (c *counter) Add(by int) int { c.n += by; return c.n }

// Example_network: Give scripts the network, through a function that decides where to. Scripts of a policy without Network have none,
// in any isolation: the function runs in the host, so it checks the address. Here a map of answers stands for http.Get.
func Example_network() {
	ctx := context.Background()
	allowed := []string{"api.example.com"}
	web := map[string]string{"https://api.example.com/tea": "3.50"}
	fetch := func(ctx context.Context, address string) (string, error) {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || !slices.Contains(allowed, u.Host) {
			return "", fmt.Errorf("%s is not allowed; hosts that are: %v", address, allowed)
		}
		return web[address], nil // http.NewRequestWithContext(ctx, ...), with a client that does not follow redirects
	}
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: []string{"fmt"}, Funcs: map[string]any{"fetch": sandtrap.Member{Value: fetch, Blocking: true}},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Println(fetch("https://api.example.com/tea"))
fmt.Println(fetch("https://169.254.169.254/latest"))`})
	fmt.Print(res.Stdout, err)
	// Output:
	// 3.50 <nil>
	//  https://169.254.169.254/latest is not allowed; hosts that are: [api.example.com]
	// <nil>
}

// Example_package: Offer a package of your own, with a type and its methods. Here counter is a struct whose method Add adds
// to its sum and returns that.
func Example_package() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std: []string{"fmt"},
		Packages: []sandtrap.Package{{
			Path:    "example.com/count",
			Members: map[string]any{"Counter": (*counter)(nil), "New": func() *counter { return &counter{} }},
		}},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: `import "example.com/count"
c := count.New()
c.Add(2)
fmt.Println(c.Add(3))`})
	fmt.Println(res.Stdout, err)
	// Output:
	// 5
	//  <nil>
}

// Example_hostTime: Do not let slow tools use up the time of a script. Up to Limits.HostTime, time in functions of the
// host does not count for Limits.Timeout.
func Example_hostTime() {
	ctx := context.Background()
	wait := func() { time.Sleep(300 * time.Millisecond) }
	for _, hostTime := range []time.Duration{0, time.Minute} {
		box, err := sandtrap.New(ctx, sandtrap.Policy{
			Funcs: map[string]any{"wait": wait}, Limits: sandtrap.Limits{Timeout: 400 * time.Millisecond, HostTime: hostTime},
		})
		if err != nil {
			panic(err)
		}
		_, err = box.Run(ctx, sandtrap.Script{Text: `wait(); wait()`})
		fmt.Println(hostTime, err != nil)
		box.Close()
	}
	// Output:
	// 0s true
	// 1m0s false
}
