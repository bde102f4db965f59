package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A till is a live object of the host.
type till struct{ held int }

var errTooMuch = errors.New("too much")

func (c *till) Put(n int) int { c.held += n; return c.held }

func (c *till) Take(n int) error {
	if n > c.held {
		return fmt.Errorf("take %d: %w", n, errTooMuch)
	}
	c.held -= n
	return nil
}

func (c *till) Audit(ctx context.Context) bool { return sandtrap.CallInfoFrom(ctx).Network }

func (c *till) Burn() { c.held = 0 }

// mall is a policy with packages of the host: what they are, and in a second one all that a
// member that is no type can be.
func mall() sandtrap.Policy {
	p := pure()
	p.Packages = []sandtrap.Package{
		{
			Path: "example.com/shop/till", Object: &till{}, Members: map[string]any{"ErrTooMuch": errTooMuch},
			Exclude: []string{"Burn"}, Network: true,
		},
		{Path: "example.com/shop/v2", Members: map[string]any{
			"Rate": builtins.Literal("0.25"), "Open": true, "Hours": []string{"mo", "tu"}, "Name": "corner",
			"Max": int64(7), "Pause": time.Second,
			"Ask": func(ctx context.Context, what ...string) string {
				return fmt.Sprint(what, sandtrap.CallInfoFrom(ctx).Network)
			},
			"Wait":  sandtrap.Member{Value: func(n int) int { return n + 1 }, Blocking: true},
			"Dial":  sandtrap.Member{Value: func(ctx context.Context) bool { return sandtrap.CallInfoFrom(ctx).Network }, Network: true},
			"Read":  func() error { return io.EOF },
			"Find":  func() error { return &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist} },
			"Panic": func() { panic("out of order") },
			"Gone":  func() {},
		}},
	}
	p.Exclude = []string{"example.com/shop/v2.Gone", "strings.Repeat"}
	return p
}

// TestHostPackages: what a package of the host has that is no type is the same in each mode.
func TestHostPackages(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"object", "import \"example.com/shop/till\"\nn := till.Put(5) + till.Put(5)\nfmt.Println(n, till.Audit())", "15 true"},
		{"errors", "import \"example.com/shop/till\"\nerr := till.Take(99)\nfmt.Println(err, errors.Is(err, till.ErrTooMuch), err == till.ErrTooMuch)", "take 99: too much true false"},
		{"errors of Go", "import shop \"example.com/shop/v2\"\nerr := shop.Find()\nfmt.Println(shop.Read() == io.EOF, errors.Is(err, fs.ErrNotExist), errors.Is(err, io.EOF), err)", "true true false open x: file does not exist"},
		{"constants", "import shop \"example.com/shop/v2\"\nconst r = shop.Rate * 2\nvar f float32 = r\nfmt.Printf(\"%v %T %v %v %v\", f, shop.Max, shop.Max, shop.Open, shop.Name)", "0.5 int64 7 true corner"},
		{"data", "import shop \"example.com/shop/v2\"\nfmt.Println(len(shop.Hours), shop.Hours[1], shop.Pause)", "2 tu 1s"},
		{"functions", "import shop \"example.com/shop/v2\"\nfmt.Println(shop.Ask(\"a\", \"b\"), shop.Wait(1), shop.Dial())", "[a b] false 2 true"},
		{"a panic", "import shop \"example.com/shop/v2\"\nfunc() { defer func() { fmt.Println(recover()) }(); shop.Panic() }()", "out of order"},
		{"excluded", "import \"example.com/shop/till\"\ntill.Burn()", "! denied"},
		{"excluded by the policy", "import shop \"example.com/shop/v2\"\nshop.Gone()", "! denied"},
		{"excluded of Go", "strings.Repeat(\"a\", 2)", "! denied"},
		{"not there", "import \"example.com/shop/safe\"", "! type"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, _ := b.RunOnce(mall(), tc.src)
				if b.RefusedByEngine(res) {
					return
				}
				got := strings.TrimSpace(res.Stdout)
				if res.Error != nil {
					got += "! " + string(res.Error.Kind)
				}
				if got != tc.want {
					b.Errorf("got %q, want %q (%v)", got, tc.want, res.Error)
				}
			})
		})
	}
}

// sizes is a type of the host's of which workers have none.
type sizes []func()

// looped holds itself by what does not cross.
type looped struct{ C chan *looped }

// TestStaysHere: what cannot be copied to the worker is a policy's error that names it.
func TestStaysHere(t *testing.T) {
	var done chan int
	for name, member := range map[string]any{
		"a type that is no struct": (*sizes)(nil), "a type that holds itself in a channel": (*looped)(nil), "an interface that is not listed": func(Totaller) {}, "a variable of channels": builtins.Variable{Pointer: &done}, "a channel": make(chan int),
		"a list of channels":  []chan int{},
		"a function":          func() func() { return nil },
		"contexts of scripts": builtins.Function{Fn: func(context.Context) {}, Context: true},
	} {
		p := sandtrap.Policy{Isolation: sandtrap.Process, Packages: []sandtrap.Package{{Path: "example.com/p", Members: map[string]any{"M": member}}}}
		if _, err := sandtrap.Compile(p); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "example.com/p.M") || !strings.Contains(err.Error(), "cannot be copied") {
			t.Errorf("%s: %v", name, err)
		}
		p.Isolation = sandtrap.None
		if _, err := sandtrap.Compile(p); err != nil {
			t.Errorf("%s in process: %v", name, err)
		}
	}
}
