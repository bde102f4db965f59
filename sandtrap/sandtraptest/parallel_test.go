package sandtraptest

import (
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// atOnce is how many runs there are at a time.
const atOnce = 64

// TestOneProgram runs one program many times at once: what is compiled is shared, what
// runs is not.
func TestOneProgram(t *testing.T) {
	const src = `package main

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

type T struct {
	a int
	s []string
}

func (t T) String() string { return fmt.Sprint(t.a, t.s) }

type E struct{ T }

func (e E) Error() string { return e.String() }

type byA []T

func (b byA) Len() int           { return len(b) }
func (b byA) Less(i, j int) bool { return b[i].a < b[j].a }
func (b byA) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func sum[N int | float64](l ...N) (s N) {
	for _, v := range l {
		s += v
	}
	return s
}

func main() {
	l := byA{{3, nil}, {1, []string{"x"}}, {2, nil}}
	sort.Sort(l)
	c := make(chan fmt.Stringer, 1)
	go func() {
		defer close(c)
		for _, t := range l {
			c <- t
		}
	}()
	for s := range c {
		fmt.Println(s, sum(1, 2), sum(1.5, 2))
	}
	var e E
	err := fmt.Errorf("wrapped: %w", E{l[0]})
	fmt.Println(errors.As(err, &e), e, strings.Map(func(r rune) rune { return r + 1 }, "abc"))
	defer func() { fmt.Println(recover()) }()
	fmt.Println(l[len(l)])
}
`
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	want, err := box.Run(t.Context(), sandtrap.Script{Text: src})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			got, err := box.Run(t.Context(), sandtrap.Script{Text: src})
			if err != nil || got.Stdout != want.Stdout || got.Ticks != want.Ticks {
				t.Errorf("%d ticks, %q, %v, want %d, %q", got.Ticks, got.Stdout, err, want.Ticks, want.Stdout)
			}
		})
	}
	wg.Wait()
}
