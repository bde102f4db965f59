package builtins

import (
	"bufio"
	"bytes"
	"container/list"
	"container/ring"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	shimsync "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sync"
	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// endless is a reader that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestAmplifyingMore is TestAmplifying for what fills buffers and containers.
func TestAmplifyingMore(t *testing.T) {
	fn := func(path, name string) Ref { return Ref{Kind: abi.BindFunc, Path: path, Name: name} }
	method := func(path, owner, name string) Ref {
		return Ref{Kind: abi.BindMethod, Path: path, Owner: owner, Name: name, Pointer: true}
	}
	onInterface := func(owner, name string) Ref { return Ref{Kind: abi.BindMethod, Path: "io", Owner: owner, Name: name} }
	mega := make([]byte, 1<<20)
	forEver := func(f func()) {
		for {
			f()
		}
	}
	for _, tc := range []struct {
		name string
		run  func(e *Env)
	}{
		{"bytes.Repeat", func(e *Env) { value[func([]byte, int) []byte](t, e, fn("bytes", "Repeat"))(mega, 1<<30) }},
		{"Buffer.Write", func(e *Env) {
			var b bytes.Buffer
			write := value[func(*bytes.Buffer, []byte) (int, error)](t, e, method("bytes", "Buffer", "Write"))
			forEver(func() { _, _ = write(&b, mega) })
		}},
		{"Buffer.ReadFrom", func(e *Env) {
			_, _ = value[func(*bytes.Buffer, io.Reader) (int64, error)](t, e, method("bytes", "Buffer", "ReadFrom"))(new(bytes.Buffer), endless{})
		}},
		{"Fprint to a builder", func(e *Env) {
			var b strings.Builder
			print := value[func(io.Writer, ...any) (int, error)](t, e, fn("fmt", "Fprint"))
			forEver(func() { _, _ = print(&b, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") })
		}},
		{"io.Writer of a builder", func(e *Env) {
			var b strings.Builder
			write := value[func(io.Writer, []byte) (int, error)](t, e, onInterface("Writer", "Write"))
			forEver(func() { _, _ = write(&b, mega) })
		}},
		{"io.StringWriter of a buffer", func(e *Env) {
			var b bytes.Buffer
			write := value[func(io.StringWriter, string) (int, error)](t, e, onInterface("StringWriter", "WriteString"))
			s := string(mega)
			forEver(func() { _, _ = write(&b, s) })
		}},
		{"bufio.Writer of a builder", func(e *Env) {
			var b strings.Builder
			w := value[func(io.Writer) *bufio.Writer](t, e, fn("bufio", "NewWriter"))(&b)
			forEver(func() { _, _ = w.Write(mega) })
		}},
		{"bufio.Reader", func(e *Env) {
			_, _ = value[func(io.Reader) *bufio.Reader](t, e, fn("bufio", "NewReader"))(endless{}).ReadString('\n')
		}},
		{"NewReaderSize", func(e *Env) {
			value[func(io.Reader, int) *bufio.Reader](t, e, fn("bufio", "NewReaderSize"))(endless{}, 1<<40)
		}},
		{"io.ReadAll", func(e *Env) { _, _ = value[func(io.Reader) ([]byte, error)](t, e, fn("io", "ReadAll"))(endless{}) }},
		{"io.Copy", func(e *Env) {
			_, _ = value[func(io.Writer, io.Reader) (int64, error)](t, e, fn("io", "Copy"))(new(bytes.Buffer), endless{})
		}},
		{"list", func(e *Env) {
			push := value[func(*list.List, any) *list.Element](t, e, method("container/list", "List", "PushBack"))
			l := list.New()
			forEver(func() { push(l, nil) })
		}},
		{"ring", func(e *Env) { value[func(int) *ring.Ring](t, e, fn("container/ring", "New"))(1 << 40) }},
		{"rand.Perm", func(e *Env) { value[func(int) []int](t, e, fn("math/rand", "Perm"))(1 << 40) }},
		{"rand.Perm v2", func(e *Env) { value[func(int) []int](t, e, fn("math/rand/v2", "Perm"))(1 << 40) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shimtest.Outcome(func() { tc.run(shimtest.Limited(16 << 20)) }); got != shimtest.ErrRefused {
				t.Errorf("got %v, want a refused charge", got)
			}
		})
	}
}

// TestEndless wants host loops to let a stop through.
func TestEndless(t *testing.T) {
	checks := 0
	e := &Env{Gates: shimtest.Gates{OnCheck: func() {
		if checks++; checks > 3 {
			panic(shimtest.ErrRefused)
		}
	}}}
	copying := value[func(io.Writer, io.Reader) (int64, error)](t, e, Ref{Kind: abi.BindFunc, Path: "io", Name: "Copy"})
	if got := shimtest.Outcome(func() { _, _ = copying(io.Discard, rand.New(rand.NewSource(1))) }); got != shimtest.ErrRefused {
		t.Errorf("io.Copy: got %v, want a stop", got)
	}
	sleep := value[func(time.Duration)](t, e, Ref{Kind: abi.BindFunc, Path: "time", Name: "Sleep"})
	if got := shimtest.Outcome(func() { sleep(time.Hour) }); got != shimtest.ErrRefused {
		t.Errorf("time.Sleep: got %v, want a stop", got)
	}
	move := value[func(*ring.Ring, int) *ring.Ring](t, e, Ref{Kind: abi.BindMethod, Path: "container/ring", Owner: "Ring", Name: "Move", Pointer: true})
	r := ring.New(3)
	if got, want := move(r, 1<<62), r.Move((1<<62)%3); got != want {
		t.Errorf("ring.Move: got another element")
	}
}

// TestWaiting wants what would block Go's sync for ever to ask the run.
func TestWaiting(t *testing.T) {
	var waited []string
	e := &Env{Gates: shimtest.Gates{OnWait: func(what string) {
		waited = append(waited, what)
		panic(shimtest.ErrRefused)
	}}}
	at := func(owner, name string) Ref {
		return Ref{Kind: abi.BindMethod, Path: "sync", Owner: owner, Name: name, Pointer: owner != "Locker"}
	}
	lock := value[func(*shimsync.Mutex)](t, e, at("Mutex", "Lock"))
	once := value[func(*shimsync.Once, func())](t, e, at("Once", "Do"))
	for _, tc := range []struct {
		name string
		run  func()
	}{
		{"sync.Mutex.Lock", func() { m := &shimsync.Mutex{}; lock(m); lock(m) }},
		{"sync.Mutex.Lock", func() {
			m := &shimsync.Mutex{}
			lock(m)
			value[func(sync.Locker)](t, e, at("Locker", "Lock"))(m)
		}},
		{"sync.RWMutex.Lock", func() {
			m := &shimsync.RWMutex{}
			value[func(*shimsync.RWMutex)](t, e, at("RWMutex", "RLock"))(m)
			value[func(*shimsync.RWMutex)](t, e, at("RWMutex", "Lock"))(m)
		}},
		{"sync.Mutex.Lock", func() { o := &shimsync.Once{}; once(o, func() { once(o, func() {}) }) }},
		{"sync.WaitGroup.Wait", func() {
			w := &shimsync.WaitGroup{}
			w.Add(1)
			value[func(*shimsync.WaitGroup)](t, e, at("WaitGroup", "Wait"))(w)
		}},
	} {
		waited = nil
		if got := shimtest.Outcome(tc.run); got != shimtest.ErrRefused || len(waited) == 0 || waited[0] != tc.name {
			t.Errorf("%s: got %v, waited %q", tc.name, got, waited)
		}
	}
	m := &shimsync.Mutex{}
	lock(m)
	m.Unlock()
	lock(m)
	if got := fmt.Sprint(shimtest.Outcome(func() { m.Unlock(); m.Unlock() })); got != "fatal error: sync: unlock of unlocked mutex" {
		t.Errorf("Unlock: got %q", got)
	}
}

// TestHostUnseen wants nothing of the host's clock zone, arguments or files.
func TestHostUnseen(t *testing.T) {
	zone := time.Local
	time.Local = time.FixedZone("HOST", 3600)
	defer func() { time.Local = zone }()
	e := &Env{}
	now := value[func() time.Time](t, e, Ref{Kind: abi.BindFunc, Path: "time", Name: "Now"})()
	local := value[func(time.Time) time.Time](t, e, Ref{Kind: abi.BindMethod, Path: "time", Owner: "Time", Name: "Local"})(now)
	parsed, err := value[func(string, string) (time.Time, error)](t, e, Ref{Kind: abi.BindFunc, Path: "time", Name: "Parse"})(time.RFC3339, "2024-01-02T03:04:05+01:00")
	if err != nil {
		t.Fatal(err)
	}
	read := parsed
	if err := value[func(*time.Time, []byte) error](t, e, Ref{Kind: abi.BindMethod, Path: "time", Owner: "Time", Name: "UnmarshalText", Pointer: true})(&read, []byte("2024-01-02T03:04:05+01:00")); err != nil {
		t.Fatal(err)
	}
	unix := value[func(int64, int64) time.Time](t, e, Ref{Kind: abi.BindFunc, Path: "time", Name: "Unix"})(0, 0)
	for _, tm := range []time.Time{now, local, parsed, read, unix} {
		if s := tm.Format("MST") + tm.Location().String(); strings.Contains(s, "HOST") || strings.Contains(s, "Local") {
			t.Errorf("got zone %s", s)
		}
	}
	if got := *value[func() *[]string](t, e, Ref{Kind: abi.BindVar, Path: "os", Name: "Args"})(); len(got) != 1 || got[0] != "main" {
		t.Errorf("os.Args: got %q", got)
	}
}

func TestStreams(t *testing.T) {
	var out, errs strings.Builder
	e := &Env{Stdin: strings.NewReader("12 x\nline\n"), Stdout: &out, Stderr: &errs}
	get := func(name string) *vfs.File {
		return value[func() *vfs.File](t, e, Ref{Kind: abi.BindVar, Path: "os", Name: name})()
	}
	var n int
	var s string
	if _, err := value[func(...any) (int, error)](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Scanln"})(&n, &s); err != nil || n != 12 || s != "x" {
		t.Errorf("Scanln: got %d %q %v", n, s, err)
	}
	rest, err := io.ReadAll(get("Stdin"))
	if err != nil || string(rest) != "line\n" {
		t.Errorf("Stdin: got %q %v", rest, err)
	}
	_, _ = get("Stdout").WriteString("o")
	_, _ = get("Stderr").WriteString("e")
	if out.String() != "o" || errs.String() != "e" {
		t.Errorf("got %q and %q", out.String(), errs.String())
	}
	if _, err := get("Stdin").Write([]byte("x")); err == nil {
		t.Errorf("wrote to Stdin")
	}
	if _, err := new(vfs.File).Write(nil); err == nil {
		t.Errorf("wrote to a file of the script's own")
	}
}

// TestRunsApart runs many at once; each may see its own only.
func TestRunsApart(t *testing.T) {
	table := tableOf(t, Std()...)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			var out strings.Builder
			e := &Env{Stdout: &out, Seed: uint64(i + 1)}
			print, err := table.Value(e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Print"})
			if err != nil {
				t.Error(err)
				return
			}
			intn, err := table.Value(e, Ref{Kind: abi.BindFunc, Path: "math/rand", Name: "Intn"})
			if err != nil {
				t.Error(err)
				return
			}
			want := rand.New(rand.NewSource(int64(i + 1)))
			for range 100 {
				_, _ = print.Interface().(func(...any) (int, error))(i)
				if got, want := intn.Interface().(func(int) int)(1000), want.Intn(1000); got != want {
					t.Errorf("got %d, want %d", got, want)
				}
			}
			if got, want := out.String(), strings.Repeat(fmt.Sprint(i), 100); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
}
