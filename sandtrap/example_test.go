package sandtrap_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func Example() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{
		Std:    []string{"fmt", "strings"},
		Limits: sandtrap.Limits{Timeout: 10 * time.Second, Ticks: 100_000, Memory: 64 << 20},
	})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{
		Text:   `loud := strings.ToUpper(name); fmt.Println("hello", loud)`,
		Inputs: map[string]any{"name": "world"},
	})
	fmt.Print(res.Stdout)
	fmt.Println(res.Vars["loud"], err)
	_, err = box.Run(ctx, sandtrap.Script{Text: `for {}`})
	fmt.Println(errors.Is(err, sandtrap.KindTicks))
	// Output:
	// hello WORLD
	// WORLD <nil>
	// true
}

func ExampleSandbox_Run_refused() {
	ctx := context.Background()
	box, err := sandtrap.New(ctx, sandtrap.Policy{})
	if err != nil {
		panic(err)
	}
	defer box.Close()
	_, err = box.Run(ctx, sandtrap.Script{Text: "x := 1\ny := x + \"a\""})
	e, _ := errors.AsType[*sandtrap.Error](err)
	fmt.Println(e.Kind, e.Pos.Line, errors.Is(err, sandtrap.ErrRefused))
	// Output: type 2 true
}
