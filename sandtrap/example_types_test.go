package sandtrap_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// sandbox makes one for an example.
func sandbox(p sandtrap.Policy) *sandtrap.Sandbox {
	box, err := sandtrap.New(context.Background(), p)
	if err != nil {
		panic(err)
	}
	return box
}

func ExampleScript() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt", "bufio", "os"}})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{
		Name:   "sum.go",
		Text:   `in := bufio.NewScanner(os.Stdin); for in.Scan() { n := 0; fmt.Sscan(in.Text(), &n); total += n }`,
		Inputs: map[string]any{"total": 10},
		Stdin:  strings.NewReader("1\n2\n"),
	})
	fmt.Println(res.Vars["total"], err)
	// Output: 13 <nil>
}

func ExampleResult() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}, Limits: sandtrap.Limits{Ticks: 10_000}})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `total := 0; for i := range 5 { total += i }; fmt.Println("done")`})
	fmt.Printf("%q %v %v %d ticks, %v\n", res.Stdout, res.Vars, res.Types, res.Ticks, err)
	// Output: "done\n" map[total:10] map[total:int] 5 ticks, <nil>
}

func ExampleError() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}})
	defer box.Close()
	_, err := box.Run(context.Background(), sandtrap.Script{Text: "x := 1\nfmt.Printn(x)"})
	failed, _ := errors.AsType[*sandtrap.Error](err)
	fmt.Printf("%s at %d:%d, about %s\n%s\n%s\n", failed.Kind, failed.Pos.Line, failed.Pos.Column, failed.Name, failed.Message, failed.Hint)
	// Output:
	// type at 2:5, about fmt.Printn
	// there is no fmt.Printn
	// did you mean fmt.Print?
}

func ExampleKind() {
	box := sandbox(sandtrap.Policy{})
	defer box.Close()
	_, err := box.Run(context.Background(), sandtrap.Script{Text: `panic("no")`})
	fmt.Println(errors.Is(err, sandtrap.KindPanic), errors.Is(err, sandtrap.KindTimeout))
	// Output: true false
}

func ExampleFrame() {
	box := sandbox(sandtrap.Policy{})
	defer box.Close()
	_, err := box.Run(context.Background(), sandtrap.Script{Text: "func half(n int) int { return 10 / n }\nhalf(0)"})
	failed, _ := errors.AsType[*sandtrap.Error](err)
	for _, f := range failed.Stack {
		fmt.Println(f.Func, f.Pos.Line)
	}
	// Output:
	// main.half 1
	// main.main 2
}

func ExampleTask() {
	box := sandbox(sandtrap.Policy{})
	defer box.Close()
	_, err := box.Run(context.Background(), sandtrap.Script{Text: "c := make(chan int)\ngo func() { c <- 1 }()\n<-c\n<-c"})
	failed, _ := errors.AsType[*sandtrap.Error](err)
	for _, task := range failed.Tasks {
		fmt.Println(failed.Kind, task.ID, task.State, task.Stack[0].Pos.Line)
	}
	// Output: deadlock 1 chan receive 4
}

func ExampleEcho() {
	box := sandbox(sandtrap.Policy{Echo: sandtrap.EchoLast})
	defer box.Close()
	res, _ := box.Run(context.Background(), sandtrap.Script{Text: `xs := []string{"a", "b"}; xs`})
	fmt.Println(res.Echo[0].Text, "of type", res.Echo[0].Type)
	// Output: []string{"a", "b"} of type []string
}

func ExampleEchoMode() {
	box := sandbox(sandtrap.Policy{Echo: sandtrap.EchoAll})
	defer box.Close()
	for _, mode := range []sandtrap.EchoMode{"", sandtrap.EchoLast, sandtrap.EchoNone} { // "" is that of the policy
		res, _ := box.Run(context.Background(), sandtrap.Script{Text: "1\n2\n3", Echo: mode})
		fmt.Println(len(res.Echo))
	}
	// Output:
	// 3
	// 1
	// 0
}

func ExamplePrint() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}})
	defer box.Close()
	res, _ := box.Run(context.Background(), sandtrap.Script{Text: `fmt.Println("sum", 1.5, []int{1, 2})`, Prints: true})
	var list []int
	err := res.Prints[0].Decode(2, &list)
	fmt.Println(res.Prints[0].Types, list, err)
	// Output: [string float64 []int] [1 2] <nil>
}

func ExampleFunc() {
	box := sandbox(sandtrap.Policy{})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `sum := 0; add := func(n int) int { sum += n; return sum }`})
	if err != nil {
		panic(err)
	}
	add := res.Func("add")
	for n := range 3 {
		res, err := add.Call(context.Background(), n+1)
		fmt.Println(res.Returned[0], err)
	}
	// Output:
	// 1 <nil>
	// 3 <nil>
	// 6 <nil>
}

func ExampleCheckResult() {
	box := sandbox(sandtrap.Policy{Std: []string{"strings"}})
	defer box.Close()
	report, err := box.Check(context.Background(), sandtrap.Script{Text: `n := strings.Count("cheese", "e")`})
	fmt.Println(len(report.Bindings), "ways out", err)
	fmt.Print(report.Rewritten())
	// Output:
	// 1 ways out <nil>
	// package main
	//
	// import (
	// 	__st "sandtrap/gate"
	// )
	//
	// var n int
	//
	// func main() { __st.Tick(); n = __st.B0("cheese", "e") }
}

func ExampleBinding() {
	box := sandbox(sandtrap.Policy{Std: []string{"strings"}})
	defer box.Close()
	report, _ := box.Check(context.Background(), sandtrap.Script{Text: "var b strings.Builder\nb.WriteString(\"a\")"})
	for _, b := range report.Bindings {
		fmt.Println(b.Pos.Line, b.Kind, b.Name)
	}
	// Output:
	// 1 type strings.Builder
	// 2 method (*strings.Builder).WriteString
}

func ExampleEvent() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}})
	defer box.Close()
	events := make(chan sandtrap.Event, 10)
	box.Run(context.Background(), sandtrap.Script{Text: `fmt.Print("a")`, Events: events})
	for range 3 {
		e := <-events
		fmt.Println(e.Kind, e.Text, time.Since(e.Time) < time.Minute)
	}
	// Output:
	// started  true
	// stdout a true
	// finished  true
}

func ExampleEventKind() {
	box := sandbox(sandtrap.Policy{Funcs: map[string]any{"tool": func() {}}})
	defer box.Close()
	events := make(chan sandtrap.Event, 10)
	go box.Run(context.Background(), sandtrap.Script{Text: `tool(); tool()`, Events: events})
	calls := 0
	for e := range events {
		if e.Kind == sandtrap.EventCall {
			calls++
		}
		if e.Kind == sandtrap.EventFinished {
			break
		}
	}
	fmt.Println(calls, "calls")
	// Output: 2 calls
}

func ExampleCallInfo() {
	box := sandbox(sandtrap.Policy{Funcs: map[string]any{"log": func(ctx context.Context, text string) {
		fmt.Fprintln(sandtrap.CallInfoFrom(ctx).Stderr, "log:", text) // of the run, and not of this process
	}}})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `log("hello")`})
	fmt.Fprint(os.Stdout, res.Stderr, err)
	// Output:
	// log: hello
	// <nil>
}

func ExampleArtifact() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}, Limits: sandtrap.Limits{Artifacts: 1 << 20}})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `return artifact("points.csv", []byte(fmt.Sprintf("%d,%d\n", 1, 2)))`})
	for _, a := range res.Artifacts {
		fmt.Printf("%s (%s): %q, %v\n", a.Name, a.MediaType, a.Data, err)
	}
	// Output: points.csv (text/csv): "1,2\n", <nil>
}
