package cookbook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Example_session: Keep a session over several turns, and on disk between them.
func Example_session() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure(), Echo: sandtrap.EchoLast})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	first, err := box.Session()
	if err != nil {
		panic(err)
	}
	_, err = first.Run(ctx, sandtrap.Script{Text: `type Note struct { Text string }
notes := []Note{{"buy tea"}}
out := bufio.NewWriter(&bytes.Buffer{})`})
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer // or an *os.File
	skipped, err := first.Save(&file)
	fmt.Println("not saved:", skipped, err)
	first.Close()
	second, err := box.LoadSession(&file) // of another process, too
	if err != nil {
		panic(err)
	}
	defer second.Close()
	res, err := second.Run(ctx, sandtrap.Script{Text: `notes = append(notes, Note{"drink it"}); len(notes)`})
	fmt.Println(res.Echo[0].Text, err)
	// Output:
	// not saved: map[out:it holds a value of type *bufio.Writer, which cannot be saved] <nil>
	// 2 <nil>
}

// Example_batch: Run a thousand scripts at once, with progress. A Plan and a Sandbox may be used by any number of
// goroutines.
func Example_batch() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure(), Limits: sandtrap.Limits{Ticks: 10_000, Memory: 8 << 20}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	var done, failed, sum atomic.Int64
	var all sync.WaitGroup
	room := make(chan bool, 8)
	for i := range 1000 {
		room <- true
		all.Go(func() {
			defer func() { <-room }()
			var square int64
			_, err := box.Run(ctx, sandtrap.Script{Text: `if n%100 == 99 { for {} }; return n * n`, Inputs: map[string]any{"n": int64(i)}, Result: &square})
			if sum.Add(square); err != nil {
				failed.Add(1)
			}
			if n := done.Add(1); n%250 == 0 {
				fmt.Println(n, "of 1000")
			}
		})
	}
	all.Wait()
	fmt.Println("failed:", failed.Load(), "sum:", sum.Load())
	// Output:
	// 250 of 1000
	// 500 of 1000
	// 750 of 1000
	// 1000 of 1000
	// failed: 10 sum: 328994490
}

// Example_plugin: Load a plugin whose functions you call by name, and replace it while it is in use.
//
// Limits hold for each call. A result that is a struct of the script is a map; res.DecodeReturned(0, &v) stores it in a Go
// variable. An error that the function returns is its last result, and a panic or a stop is the error of Call. In a worker
// a sandbox keeps the functions of its last eight runs, and a call of an older one returns ErrRunOver: make a Plan, and a
// sandbox of it for each plugin.
func Example_plugin() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure()})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	var onTick atomic.Pointer[sandtrap.Func]
	load := func(text string) error {
		res, err := box.Run(ctx, sandtrap.Script{Text: text, Funcs: []string{"OnTick"}})
		if err == nil {
			onTick.Store(res.Func("OnTick"))
		}
		return err
	}
	for _, version := range []string{
		"var sum int\nfunc OnTick(n int) int { sum += n; return sum }",
		"func OnTick(n int) int { return 100 * n }",
		"func OnTock(n int) int { return n }",
	} {
		if err := load(version); err != nil {
			fmt.Println("the last version stays:", err)
		}
		for n := 1; n <= 2; n++ {
			res, err := onTick.Load().Call(ctx, n)
			fmt.Println(res.Returned, err)
		}
	}
	// Output:
	// [1] <nil>
	// [3] <nil>
	// [100] <nil>
	// [200] <nil>
	// the last version stays: the program declares no function OnTick, which the host calls (rename OnTock to OnTick)
	// [100] <nil>
	// [200] <nil>
}

// Example_limits: Give one run less than the policy allows. Script.Limits can lower limits, and not raise them.
func Example_limits() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Limits: sandtrap.Limits{Timeout: 10 * time.Second, Memory: 256 << 20}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	_, err = box.Run(ctx, sandtrap.Script{Text: `for {}`, Limits: sandtrap.Limits{Timeout: 100 * time.Millisecond}})
	fmt.Println(errors.Is(err, sandtrap.KindTimeout))
	_, err = box.Run(ctx, sandtrap.Script{Text: `x := make([]byte, 64<<20)`, Limits: sandtrap.Limits{Memory: 1 << 20}})
	fmt.Println(errors.Is(err, sandtrap.KindMemory))
	// Output:
	// true
	// true
}

// Example_cancel: End a run from outside.
func Example_cancel() {
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel) // somebody has pressed a button
	res, err := box.Run(ctx, sandtrap.Script{Text: "n := 0\nfor { n++ }"})
	fmt.Println(errors.Is(err, sandtrap.KindCancelled), errors.Is(err, context.Canceled), res.Ticks > 0)
	// Output: true true true
}

// Example_live: Show what a script prints while it runs, and which tools it calls.
func Example_live() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdPure(), Funcs: map[string]any{"search": func(string) int { return 3 }}})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	events := make(chan sandtrap.Event, 100)
	go box.Run(ctx, sandtrap.Script{Text: `fmt.Println("looking"); fmt.Println(search("tea"), "found")`, Events: events})
	for e := range events {
		fmt.Printf("%s %q\n", e.Kind, e.Text)
		if e.Kind == sandtrap.EventFinished {
			break
		}
	}
	// Output:
	// started ""
	// stdout "looking\n"
	// call "search"
	// stdout "3 found\n"
	// finished ""
}

// Example_repeatable: Get the same result each time. Seed and Epoch give a run its own random numbers and its own clock.
func Example_repeatable() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Seed: 7, Epoch: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	for range 2 {
		res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Println(time.Now().UTC().Format(time.DateTime), rand.IntN(1000) == rand.IntN(1000))`})
		fmt.Print(res.Stdout, err, "\n")
	}
	// Output:
	// 2030-01-01 00:00:00 false
	// <nil>
	// 2030-01-01 00:00:00 false
	// <nil>
}
