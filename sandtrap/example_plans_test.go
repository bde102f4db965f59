package sandtrap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

func ExamplePolicy() {
	policy, err := sandtrap.Preset("agent") // and then what is your own
	if err != nil {
		panic(err)
	}
	policy.Funcs = map[string]any{"answer": func() int { return 42 }}
	policy.Limits.Timeout = 5 * time.Second
	box := sandbox(policy)
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `fmt.Println(answer())`})
	fmt.Print(res.Stdout, err)
	// Output:
	// 42
	// <nil>
}

func ExampleLimits() {
	box := sandbox(sandtrap.Policy{Limits: sandtrap.Limits{Timeout: time.Second, Ticks: 1000, Memory: 16 << 20, Depth: 100}})
	defer box.Close()
	for _, text := range []string{`for {}`, `x := make([]int, 1<<24)`, `func f() { f() }; f()`} {
		_, err := box.Run(context.Background(), sandtrap.Script{Text: text})
		fmt.Println(errors.Is(err, sandtrap.KindTicks), errors.Is(err, sandtrap.KindMemory), errors.Is(err, sandtrap.KindDepth))
	}
	// Output:
	// true false false
	// false true false
	// false false true
}

func ExampleFiles() {
	files := afero.NewMemMapFs() // or vfs.Dir, vfs.From, vfs.Layer
	if err := afero.WriteFile(files, "/in.txt", []byte("tea"), 0o644); err != nil {
		panic(err)
	}
	box := sandbox(sandtrap.Policy{
		Std: []string{"os", "strings"}, Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return files, nil }},
	})
	defer box.Close()
	_, err := box.Run(context.Background(), sandtrap.Script{Text: `in, err := os.ReadFile("/in.txt")
if err != nil { return err }
return os.WriteFile("/out.txt", []byte(strings.ToUpper(string(in))), 0o644)`})
	out, _ := afero.ReadFile(files, "/out.txt")
	fmt.Println(string(out), err)
	// Output: TEA <nil>
}

func ExampleMember() {
	wait := func(n int) int { time.Sleep(10 * time.Millisecond); return n }
	box := sandbox(sandtrap.Policy{Std: []string{"sync"}, Funcs: map[string]any{
		"wait": sandtrap.Member{Value: wait, Blocking: true, Params: []string{"n"}, Doc: "wait takes a while."},
	}})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `var wg sync.WaitGroup
got := make([]int, 20)
for i := range got { wg.Go(func() { got[i] = wait(i) }) }
wg.Wait()`})
	fmt.Println(res.Vars["got"].([]int)[19], res.Duration < 150*time.Millisecond, err)
	// Output: 19 true <nil>
}

// Account is a type that scripts have, without its method Close.
type Account struct{ Balance int }

func (a *Account) Pay(n int) { a.Balance -= n }
func (a *Account) Close()    { a.Balance = 0 }

func ExamplePackage() {
	box := sandbox(sandtrap.Policy{Std: []string{"fmt"}, Packages: []sandtrap.Package{{
		Path:    "example.com/bank",
		Members: map[string]any{"Account": (*Account)(nil), "Open": func() *Account { return &Account{100} }},
		Exclude: []string{"Account.Close"},
	}}})
	defer box.Close()
	for _, text := range []string{"a := bank.Open()\na.Pay(30)\nfmt.Print(a.Balance)", "bank.Open().Close()"} {
		res, err := box.Run(context.Background(), sandtrap.Script{Text: "import \"example.com/bank\"\n" + text})
		fmt.Println(res.Stdout, errors.Is(err, sandtrap.KindDenied))
	}
	// Output:
	// 70 false
	//  true
}

// talker is an interface of the host's, and talks a value of a script as one.
type (
	talker interface{ Say() string }
	talks  struct{ sandtrap.Value }
)

func (t talks) Say() string { return t.Call("Say")[0].(string) }

func ExampleValue() {
	box := sandbox(sandtrap.Policy{
		Wrappers: []any{func(v sandtrap.Value) talker { return talks{v} }},
		Funcs:    map[string]any{"ask": func(t talker) string { return t.Say() + "!" }},
	})
	defer box.Close()
	res, err := box.Run(context.Background(), sandtrap.Script{Text: `type cat struct{}
func (cat) Say() string { return "meow" }
heard := ask(cat{})`})
	fmt.Println(res.Vars["heard"], err)
	// Output: meow! <nil>
}

func ExamplePlan() {
	plan, err := sandtrap.Compile(sandtrap.Policy{Std: []string{"fmt"}}) // once
	if err != nil {
		panic(err)
	}
	for range 2 { // a sandbox for each request, say
		box, err := plan.New(context.Background())
		if err != nil {
			panic(err)
		}
		res, err := box.Run(context.Background(), sandtrap.Script{Text: `fmt.Print("hello")`})
		fmt.Println(res.Stdout, err)
		box.Close()
	}
	// Output:
	// hello <nil>
	// hello <nil>
}

func ExampleExposure() {
	plan, err := sandtrap.Compile(sandtrap.Policy{Funcs: map[string]any{"now": time.Now}})
	if err != nil {
		panic(err)
	}
	for _, e := range plan.Explain() {
		fmt.Println(e.Cause+":", e.Opens)
	}
	// Output:
	// Funcs now: the host runs it, or shares it if it is a value
	// Isolation none: no wall: who finds a defect of the engine is in the process of the host
}

func ExampleSandbox() {
	box := sandbox(sandtrap.Policy{})
	_, err := box.Run(context.Background(), sandtrap.Script{Text: `x := 1`})
	fmt.Println(err)
	box.Close()
	_, err = box.Run(context.Background(), sandtrap.Script{Text: `x := 1`})
	fmt.Println(err == sandtrap.ErrClosed)
	// Output:
	// <nil>
	// true
}

func ExampleSession() {
	box := sandbox(sandtrap.Policy{Echo: sandtrap.EchoLast})
	defer box.Close()
	session, err := box.Session()
	if err != nil {
		panic(err)
	}
	defer session.Close()
	for _, cell := range []string{"type P struct{ X, Y int }", "p := P{1, 2}", "p.X + p.Y"} {
		res, err := session.Run(context.Background(), sandtrap.Script{Text: cell})
		if err != nil {
			panic(err)
		}
		for _, e := range res.Echo {
			fmt.Println(e.Text)
		}
	}
	var saved bytes.Buffer
	skipped, err := session.Save(&saved)
	fmt.Println(skipped, err)
	// Output:
	// 3
	// map[] <nil>
}

// self is this program, which serves as its own workers if they are started by name. A program whose main calls
// worker.Init first needs no name.
var self, _ = os.Executable()

func ExampleIsolation() {
	for _, isolation := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process} { // and Kernel, on Linux
		box := sandbox(sandtrap.Policy{Isolation: isolation, Worker: self})
		res, err := box.Run(context.Background(), sandtrap.Script{Text: `x := 1`})
		fmt.Println(res.Isolation.Mode, err)
		box.Close()
	}
	// Output:
	// none <nil>
	// process <nil>
}

func ExampleStatus() {
	status, err := sandtrap.Probe(context.Background(), sandtrap.Process, self)
	fmt.Println(status.Mode, status.Missing, err)
	// Output: process [] <nil>
}

func ExamplePool() {
	ctx := context.Background()
	plan, err := sandtrap.Compile(sandtrap.Policy{Isolation: sandtrap.Process, Worker: self})
	if err != nil {
		panic(err)
	}
	pool, err := plan.Pool(ctx, sandtrap.PoolLimits{Size: 1})
	if err != nil {
		panic(err)
	}
	defer pool.Close(ctx)
	box, err := pool.Sandbox(ctx, "ann") // whose worker nobody else gets
	if err != nil {
		panic(err)
	}
	defer box.Close()
	res, err := box.Run(ctx, sandtrap.Script{Text: `x := 6 * 7`})
	fmt.Println(res.Vars["x"], pool.Stats().Hired, err)
	// Output: 42 1 <nil>
}

func ExamplePoolLimits() {
	plan, err := sandtrap.Compile(sandtrap.Policy{Isolation: sandtrap.Process, Worker: self})
	if err != nil {
		panic(err)
	}
	_, err = plan.Pool(context.Background(), sandtrap.PoolLimits{Size: 4, Max: 2, Idle: time.Minute})
	fmt.Println(err)
	// Output: sandtrap: wrong policy: PoolLimits.Max: it has to be at least Size
}
