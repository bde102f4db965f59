package vm_test

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm"
)

// A visitor goes over all that is reached from a root.
type visitor struct {
	seen  map[visit]bool
	funcs map[string]string // field that holds a function: how it was reached
	texts map[string]bool   // strings
	types map[string]int    // values of a type of the engine's
}

type visit struct {
	at   any
	size int
	t    reflect.Type
}

// codeNotState are types that the walk does not go into.
var codeNotState = map[string]string{
	"ir.Program":        "the compiled program, which all its runs share",
	"gates.Meter":       "the limits of the run, which are the host's",
	"reflect.Value":     "a value of the host's",
	"gates.Stop":        "how the run ends",
	"reflect.rtype":     "a type of the host's",
	"shim.Env":          "what the host gives the run",
	"sandtrap.runEnv":   "what the host knows of the run",
	"engine.Heap":       "the memory of the process",
	"ir.WrapperTable":   "the policy's",
	"ir.Func":           "a function of the compiled program",
	"wrap.ifaceWrapper": "a row of a table of the engine",
}

// hostFuncs are the fields that may hold functions: all of them are the host's.
var hostFuncs = map[string]string{
	"exec.Bound.Fn":     "the bindings of the policy, as in engine.Run.Bind",
	"engine.Run.EchoTo": "a function of the host that serves the run",
	"sync.Pool.New":     "a function of the script as the host holds it",
}

func (v *visitor) walk(x reflect.Value, field, path string) {
	switch x.Kind() {
	case reflect.Func:
		if !x.IsNil() {
			v.funcs[field] = path + " " + runtime.FuncForPC(x.Pointer()).Name()
		}
	case reflect.String:
		if x.Len() < 100 {
			v.texts[x.String()] = true
		}
	case reflect.Pointer:
		if !x.IsNil() && !v.been(x.Pointer(), 1, x.Type()) {
			v.walk(x.Elem(), field, path)
		}
	case reflect.Interface:
		v.walk(x.Elem(), field, path)
	case reflect.Map:
		if x.IsNil() || v.been(x.Pointer(), 1, x.Type()) {
			return
		}
		for it := x.MapRange(); it.Next(); {
			v.walk(it.Key(), field, path+"[key]")
			v.walk(it.Value(), field, path+"[]")
		}
	case reflect.Slice:
		if x.IsNil() || v.been(x.Pointer(), x.Len(), x.Type()) {
			return
		}
		fallthrough
	case reflect.Array:
		if !plain(x.Type().Elem()) {
			for i := range x.Len() {
				v.walk(x.Index(i), field, path+"[]")
			}
		}
	case reflect.Struct:
		v.fields(x, path)
	}
}

func (v *visitor) fields(x reflect.Value, path string) {
	name := bare(x.Type())
	if codeNotState[name] != "" {
		return
	}
	v.types[name]++
	for i := range x.NumField() {
		f := x.Type().Field(i).Name
		v.walk(x.Field(i), name+"."+f, path+"."+f)
	}
}

var typeArguments = regexp.MustCompile(`\[.*\]`)

func bare(t reflect.Type) string { return typeArguments.ReplaceAllString(t.String(), "") }

func plain(t reflect.Type) bool {
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

func (v *visitor) been(at uintptr, size int, t reflect.Type) bool {
	k := visit{at, size, t}
	was := v.seen[k]
	v.seen[k] = true
	return was
}

// suspended runs a script and calls f each time that it calls runtime.NumGoroutine.
func suspended(t *testing.T, src string, f func(root any)) *sandtrap.Result {
	t.Helper()
	defer vm.Suspend(f)()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Echo: sandtrap.EchoAll})
	if err != nil {
		t.Fatal(err)
	}
	res, err := box.Run(t.Context(), sandtrap.Script{Text: src})
	if err != nil {
		t.Fatal(err, res.Stdout, res.Stderr)
	}
	return res
}

// waiting is a program that is suspended with a task in each kind of wait. Each task
// has a string of its own in a register, in a variable that a closure shares, or in what
// it is about to hand over.
const waiting = `package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type lock struct{ n int }

func (l *lock) Lock()   { l.n++ }
func (l *lock) Unlock() { l.n-- }

type ctx struct {
	context.Context
	done chan struct{}
}

func (c ctx) Done() <-chan struct{} { return c.done }

var n atomic.Int32

func mark() string { return fmt.Sprintf("mark-%d", n.Add(1)) }

type stage struct {
	name string
	next *stage
}

func main() {
	var mu, held sync.Mutex
	var rw, rheld sync.RWMutex
	var group, never sync.WaitGroup
	var once sync.Once
	held.Lock()
	rw.Lock()
	rheld.RLock()
	never.Add(1)
	block := make(chan string)
	full := make(chan string, 1)
	full <- strings.TrimSpace(mark())
	wait := func(f func()) {
		m := mark()
		go func() {
			k := m + "-local"
			f()
			fmt.Println(m, k)
		}()
	}
	wait(func() { time.Sleep(time.Hour) })
	wait(func() { <-block })
	wait(func() { full <- mark() })
	wait(func() { full <- mark() })
	wait(func() {
		select {
		case <-block:
		case full <- mark():
		}
	})
	wait(func() { select {} })
	wait(func() { var c chan int; <-c })
	wait(func() { held.Lock() })
	wait(func() { held.Lock() })
	wait(func() { rw.RLock() })
	wait(func() { rheld.Lock() })
	wait(func() { never.Wait() })
	wait(func() { once.Do(func() { <-block }) })
	wait(func() { once.Do(func() {}) })
	wait(func() { mu.Lock(); c := sync.NewCond(&mu); c.Wait() })
	wait(func() { l := &lock{}; l.Lock(); c := sync.NewCond(l); c.Wait() })
	wait(func() { r, _ := io.Pipe(); r.Read(make([]byte, 1)) })
	wait(func() { _, w := io.Pipe(); w.Write([]byte(mark())) })
	wait(func() {
		defer func() { m := mark(); defer fmt.Println(m); recover(); <-block }()
		panic(mark())
	})
	wait(func() {
		for s := range func(yield func(string) bool) { yield(mark()) } {
			<-block
			fmt.Println(s)
		}
	})
	m := mark()
	group.Go(func() { <-block; fmt.Println(m) })
	f := mark()
	timer := time.AfterFunc(time.Hour, func() { fmt.Println(f) })
	ticker := time.NewTicker(time.Hour)
	after := time.After(time.Hour)
	parent, cancel := context.WithTimeout(context.WithValue(context.Background(), mark(), mark()), time.Hour)
	defer cancel()
	child, _ := context.WithCancel(parent)
	g := mark()
	context.AfterFunc(child, func() { fmt.Println(g) })
	other, _ := context.WithCancel(ctx{context.Background(), make(chan struct{})})
	pool := sync.Pool{New: func() any { return 1 }}
	pool.Put(mark())
	var shared sync.Map
	shared.Store(mark(), mark())
	var boxed any = stage{mark(), &stage{mark(), nil}}
	value := map[string][]any{mark(): {mark(), boxed}}
	e := mark()
	method := (&stage{name: e}).show
	for range 100 {
		runtime.Gosched()
	}
	fmt.Println(n.Load(), runtime.NumGoroutine())
	runtime.NumGoroutine()
	fmt.Println(timer, ticker, after, other, value, pool.Get())
	fmt.Println(shared.Load(1))
	method()
}

func (s *stage) show() { fmt.Println(s.name) }
`

// TestStateIsData: from one root all of a suspended run is found, and of functions of Go
// only those of the host.
func TestStateIsData(t *testing.T) {
	v := &visitor{map[visit]bool{}, map[string]string{}, map[string]bool{}, map[string]int{}}
	res := suspended(t, waiting, func(root any) { v.walk(reflect.ValueOf(root), "", "machine") })
	var marks, tasks int
	if _, err := fmt.Sscan(res.Stdout, &marks, &tasks); err != nil || marks < 30 || tasks < 20 {
		t.Fatalf("%d marks, %d tasks, %v: %s", marks, tasks, err, res.Stdout)
	}
	for i := range marks {
		if m := fmt.Sprintf("mark-%d", i+1); !v.texts[m] {
			t.Errorf("%s is not found", m)
		}
	}
	if v.types["exec.Task"] != tasks {
		t.Errorf("%d tasks are found, want %d", v.types["exec.Task"], tasks)
	}
	for field, path := range v.funcs {
		if hostFuncs[field] == "" {
			t.Errorf("%s holds a function: %s", field, path)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(hostFuncs)) {
		if v.funcs[field] == "" {
			t.Errorf("%s has a row, and holds no function", field)
		}
	}
}

// TestNoFrameOnTheGoStack: however deep a script calls, the Go stack is as deep.
func TestNoFrameOnTheGoStack(t *testing.T) {
	const src = `package main

import "runtime"

func down(n int) {
	if n == 0 {
		runtime.NumGoroutine()
		return
	}
	defer func() {}()
	for range func(yield func() bool) { yield() } {
		func() { down(n - 1) }()
	}
}

func main() {
	down(1)
	down(5000)
	done := make(chan bool)
	go func() { down(1000); close(done) }()
	<-done
}
`
	var depths []int
	suspended(t, src, func(root any) {
		pcs := make([]uintptr, 10_000)
		depths = append(depths, runtime.Callers(0, pcs))
		if n := vm.Drivers(root); n > 0 {
			t.Errorf("%d goroutines of the host beside that of the run", n)
		}
	})
	if len(depths) != 3 || depths[1] != depths[0] || depths[2] != depths[0] {
		t.Errorf("the Go stack is %v frames deep, want the same each time", depths)
	}
}
