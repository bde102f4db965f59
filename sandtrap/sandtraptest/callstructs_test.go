package sandtraptest

import (
	"context"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Pair of the host's has halves that are the same.
type Pair struct{ A, B int }

// TestStructsOfCalls: a struct that a script gives to a function of the host is the one that its variable held when the
// call began, whatever other goroutines of the script do to the variable meanwhile.
func TestStructsOfCalls(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi starts no goroutines")
		}
		wait := func(ctx context.Context, p Pair) (Pair, error) {
			time.Sleep(50 * time.Microsecond)
			return p, nil
		}
		box := b.Box(sandtrap.Policy{Std: []string{"fmt", "sync", "time"}, Funcs: map[string]any{
			"Pair": (*Pair)(nil),
			"slow": sandtrap.Member{Value: wait, Blocking: true},
			"fast": func(_ context.Context, p Pair) (Pair, error) { return p, nil },
		}})
		for range 5 {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: `
var p Pair
stop := make(chan bool)
go func() {
	for i := 1; ; i++ {
		select {
		case <-stop:
			return
		default:
			p = Pair{i, i}
			time.Sleep(time.Microsecond)
		}
	}
}()
torn := 0
for range 50 {
	for _, f := range []func(Pair) (Pair, error){slow, fast} {
		if got, err := f(p); err != nil || got.A != got.B { torn++ }
	}
	if got, _ := slow(p); got.A != got.B { torn++ }
	if got, _ := fast(p); got.A != got.B { torn++ }
}
stop <- true
fmt.Print(torn)`})
			if err != nil || res.Stdout != "0" {
				b.Fatalf("%s structs were torn: %v", res.Stdout, err)
			}
		}
	})
}
