package cookbook

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Example_answer: Run the answer of a model. The code is found in its Markdown, and the result has a type of the host.
func Example_answer() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	answer := "Sure! Here it is:\n```go\nwords := strings.Fields(text)\nreturn map[string]int{\"words\": len(words), \"letters\": len(strings.Join(words, \"\"))}\n```"
	var counts map[string]int
	_, err = box.Run(ctx, sandtrap.Script{Text: answer, Inputs: map[string]any{"text": "a bird in the hand"}, Result: &counts})
	fmt.Println(counts, err)
	// Output: map[letters:14 words:5] <nil>
}

// Example_struct: Take a result in a struct. Fields are found by their JSON tags, and a value that does not fit is
// refused before the script runs.
func Example_struct() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for _, text := range []string{
		`type Item struct { Name string; Price float64 }
		items := []Item{{"tea", 3.5}, {"cake", 4.25}}
		total := 0.0
		for _, i := range items { total += i.Price }
		result := map[string]any{"title": "bill", "total": total}`,
		`result := struct{ Title string; Total string }{"bill", "7.75"}`,
	} {
		var bill struct {
			Title string  `json:"title"`
			Total float64 `json:"total"`
		}
		_, err := box.Run(ctx, sandtrap.Script{Text: text, Result: &bill})
		fmt.Println(bill, err)
	}
	// Output:
	// {bill 7.75} <nil>
	// { 0} script.go:1:1: result.total: string does not fit float64 (the host wants a struct or map[string]any with title string, total float64)
}

// Example_errors: Send errors back. An error names the place and a fix, and its excerpt shows the line, so a model can
// correct its answer.
func Example_errors() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	answers := []string{"n := \"3\" + 4\nreturn n", "n := 3 + 4\nreturn n"} // from a model that is asked again
	for _, answer := range answers {
		var n int
		_, err := box.Run(ctx, sandtrap.Script{Text: answer, Result: &n})
		failed, ok := errors.AsType[*sandtrap.Error](err)
		if !ok {
			fmt.Println("result:", n)
			break
		}
		for _, one := range failed.All() {
			fmt.Printf("%s\n%s\n%s\n", one.Message, one.Excerpt(), one.Hint)
		}
	}
	// Output:
	// invalid operation: "3" + 4 (mismatched types untyped string and untyped int)
	// n := "3" + 4
	//      ^
	// make a string of the number: fmt.Sprint(4)
	// result: 7
}

// Example_warnings: Warn of probable mistakes. A warning is about code that is valid, and probably not meant.
func Example_warnings() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: "list := []int{1}\nappend(list, 2)\nfmt.Printf(\"%d elements\\n\", \"one\")"})
	fmt.Print(res.Stdout, strings.Join(res.Warnings, "\n"), "\n", err)
	// Output:
	// %!d(string=one) elements
	// script.go:2:1: the result of append is dropped, and list stays as it was; write list = append(list, ...)
	// script.go:3:1: %d of the format of fmt.Printf is given "one", of type string; %v prints any value
	// <nil>
}

// Example_check: See what a script could reach before it runs. Bindings are all members of the host and of the standard
// library that it uses; it can reach no others.
func Example_check() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std:   []string{"fmt", "strings"},
		Funcs: map[string]any{"remove": func(name string) error { return nil }},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	report, err := box.Check(ctx, sandtrap.Script{Text: `fmt.Println(strings.ToUpper("a"), remove("b"))`})
	if err != nil {
		panic(err)
	}
	for _, b := range report.Bindings {
		fmt.Println(b.Kind, b.Name, b.Type)
	}
	_, err = box.Check(ctx, sandtrap.Script{Text: `os.Remove("b")`})
	fmt.Println(errors.Is(err, sandtrap.ErrRefused))
	// Output:
	// func fmt.Println func(...any) (int, error)
	// func strings.ToUpper func(string) string
	// func remove func(string) error
	// true
}

// Example_echo: Echo values as a notebook does.
func Example_echo() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoAll})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: "xs := []int{3, 1, 2}\nslices.Sort(xs)\nxs\nlen(xs)\n90 * time.Second\nerrors.New(\"no\")"})
	for _, e := range res.Echo {
		fmt.Println(e.Text, "//", e.Type)
	}
	fmt.Println(err)
	// Output:
	// []int{1, 2, 3} // []int
	// 3 // int
	// 1m30s // time.Duration
	// no // error
	// <nil>
}
