package durabletest

// A program is one of the corpus. Its calls are of ask, try, find and pair, whose answers depend on their arguments alone.
type program struct {
	name, text string

	// unequal says why the run depends on when answers come, as it does in Go: it differs from the run that does not wait.
	unequal string
}

var programs = []program{
	{name: "sequence", text: `for i := range 4 { fmt.Println(i, ask(fmt.Sprint(i))) }`},
	{name: "goroutines", text: `
var wg sync.WaitGroup
out := make([]string, 5)
for i := range out { wg.Go(func() { out[i] = ask(fmt.Sprint("g", i)) + ask(fmt.Sprint("h", i)) }) }
wg.Wait()
fmt.Println(out)`},
	{name: "mutex", text: `
var mu sync.Mutex
var wg sync.WaitGroup
sum := 0
for i := range 4 { wg.Go(func() { mu.Lock(); defer mu.Unlock(); sum += len(ask(strings.Repeat("x", i))) }) }
wg.Wait()
fmt.Println(sum)`},
	{name: "cond", text: `
c := sync.NewCond(&sync.Mutex{})
n := 0
for i := range 3 { go func() { a := ask(fmt.Sprint(i)); c.L.Lock(); n += len(a); c.L.Unlock(); c.Broadcast() }() }
c.L.Lock()
for n < 9 { c.Wait() }
c.L.Unlock()
fmt.Println(n)`},
	{name: "once", text: `
var once sync.Once
var wg sync.WaitGroup
var got string
for range 3 { wg.Go(func() { once.Do(func() { got = ask("once") }) }) }
wg.Wait()
v := sync.OnceValue(func() string { return ask("value") })
fmt.Println(got, v(), v())`},
	{name: "select default", text: `
c := make(chan string)
go func() { c <- ask("a") }()
n := 0
for done := false; !done; n++ {
	select {
	case s := <-c:
		fmt.Println(s)
		done = true
	default:
		time.Sleep(time.Millisecond)
	}
}
fmt.Println(n > 0)`, unequal: "each look at the channel before the answer is a turn of the loop"},
	{name: "time.After", text: `
c := make(chan string, 1)
go func() { c <- ask("a") }()
select {
case s := <-c:
	fmt.Println(s)
case <-time.After(time.Hour):
	fmt.Println("late")
}
start := time.Now()
time.Sleep(time.Minute)
fmt.Println(time.Since(start), ask("b"))`},
	{name: "context", text: `
ctx, cancel := context.WithTimeout(context.Background(), time.Second)
defer cancel()
c := make(chan string)
go func() { c <- ask("a"); c <- ask("b") }()
for range 2 {
	select {
	case <-ctx.Done():
		fmt.Println(ctx.Err())
	case s := <-c:
		fmt.Println(s)
	}
}
<-ctx.Done()
fmt.Println(ctx.Err(), errors.Is(ctx.Err(), context.DeadlineExceeded))`},
	{name: "ticker", text: `
t := time.NewTicker(time.Second)
for range 3 { now := <-t.C; fmt.Println(ask(now.Format(time.TimeOnly))) }`},
	{name: "defer", text: `
func() {
	defer func() { fmt.Println("deferred", ask("d")) }()
	defer func() { fmt.Println(recover(), ask("r")) }()
	panic(ask("p"))
}()`},
	{name: "panic of an answer", text: `
func() {
	defer func() { fmt.Println(recover()) }()
	ask("panic")
}()
ask("panic again")`},
	{name: "panic in goroutine", text: `
go func() { panic(ask("x")) }()
select {}`},
	{name: "error", text: `
_, err := try("eof")
fmt.Println(err, errors.Is(err, io.EOF))
_, err = try("missing")
fmt.Println(err, errors.Is(err, fs.ErrNotExist), errors.Is(err, io.EOF))
v, err := try("fine")
fmt.Println(v, err)`},
	{name: "unhandled", text: `
_, err := try("missing")
if err != nil { panic(err) }`},
	{name: "exit", text: `fmt.Println(ask("a")); go ask("never"); fmt.Fprintln(os.Stderr, "b"); os.Exit(len(ask("c")))`},
	{name: "generics", text: `
func all[T, U any](in []T, f func(T) U) (out []U) { for _, v := range in { out = append(out, f(v)) }; return out }
func main() { fmt.Println(all([]int{1, 2}, func(n int) string { return ask(fmt.Sprint(n)) })) }`},
	{name: "iterators", text: `
func answers(n int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) { for i := range n { if !yield(i, ask(fmt.Sprint(i))) { return } } }
}
func main() {
	for i, s := range answers(5) { if i == 3 { break }; fmt.Println(s) }
	next, stop := iter.Pull2(answers(3))
	defer stop()
	fmt.Println(next())
	fmt.Println(next())
}`},
	{name: "sort callback", text: `
s := []string{"c", "a", "b"}
sort.Slice(s, func(i, j int) bool { return ask(s[i]) < ask(s[j]) })
slices.SortFunc(s, func(a, b string) int { return strings.Compare(ask(b), ask(a)) })
fmt.Println(s, strings.Map(func(r rune) rune { return rune(ask(string(r))[0]) }, "xyz"))`},
	{name: "callbacks in goroutines", text: `
var wg sync.WaitGroup
out := make([][]string, 3)
for i := range out { wg.Go(func() {
	out[i] = []string{"c", "a", "b"}
	sort.Slice(out[i], func(a, b int) bool { return ask(fmt.Sprint(i, out[i][a])) < ask(fmt.Sprint(i, out[i][b])) })
}) }
wg.Wait()
fmt.Println(out)`},
	{name: "spin", text: `
var done atomic.Bool
go func() { ask("a"); done.Store(true) }()
for i := 0; !done.Load() && i < 50; i++ { runtime.Gosched() }
fmt.Println(ask("b"))`, unequal: "each turn of the loop before the answer is a tick"},
	{name: "channels", text: `
in, out := make(chan int), make(chan string)
for range 3 { go func() { for n := range in { out <- ask(fmt.Sprint(n)) } }() }
go func() { defer close(in); for i := range 6 { in <- i } }()
var got []string
for range 6 { got = append(got, <-out) }
slices.Sort(got)
fmt.Println(got)`},
	{name: "maps", text: `
m := map[string]int{}
for i := range 20 { m[fmt.Sprint(i)] = i }
for k := range m { if len(k) == 1 { fmt.Print(k, ask(k), " ") } }`},
	{name: "random", text: `
import crypto "crypto/rand"
fmt.Println(rand.Intn(1000), ask("a"), rand.Perm(5), ask("b"))
b := make([]byte, 8)
if _, err := crypto.Read(b); err != nil { panic(err) }
fmt.Printf("%x %s\n", b, ask(fmt.Sprint(rand.Float64())))`},
	{name: "time", text: `
a := time.Now()
fmt.Println(ask(a.String()))
time.Sleep(3 * time.Second)
fmt.Println(ask(time.Since(a).String()), time.Now().Location(), time.Now().UnixNano() % 1000)`},
	{name: "pointers", text: `
type T struct{ N int }
p := &T{1}
fmt.Println(p, ask("a"))
s := fmt.Sprintf("%p", p)
fmt.Println(s == fmt.Sprintf("%p", p), ask("b"), s == fmt.Sprintf("%p", p))`},
	{name: "addresses", text: `
type T struct{ N int }
fmt.Printf("%p %s\n", &T{1}, ask("a"))`},
	{name: "NumGoroutine", text: `
for range 3 { go ask("g") }
fmt.Println(runtime.NumGoroutine())
fmt.Println(ask("b"))`},
	{name: "files", text: `
os.WriteFile("/a.txt", []byte(ask("a")), 0o644)
f, err := os.OpenFile("/a.txt", os.O_APPEND|os.O_WRONLY, 0)
fmt.Fprintln(f, ask("b"), err)
f.Close()
b, err := os.ReadFile("/a.txt")
fmt.Printf("%s %v\n", b, err)
_, err = os.ReadFile(ask("none"))
fmt.Println(err)
info, err := os.Stat("/a.txt")
fmt.Println(info.ModTime().UTC().Format(time.RFC3339), info.Size(), err, ask("c"))`},
	{name: "structs", text: `
r, err := find("7")
fmt.Printf("%+v %v\n", r, err)
fmt.Println(r.When.Add(time.Hour).Format(time.RFC3339Nano), r.Tags["a"], len(r.Parts), r.Any, r.Parts[0].Name)
_, err = find("none")
fmt.Println(errors.Is(err, fs.ErrNotExist), err)`},
	{name: "two results", text: `
n, s := pair("xyz", 1, 2, 3)
fmt.Println(n, s)
n, s = pair("")
fmt.Println(n, s)`},
	{name: "any", text: `
v := any(keep(map[string]any{"a": 1, "b": []any{"x", nil, 2.5}}))
fmt.Printf("%v %T\n", v, v.(map[string]any)["a"])
fmt.Println(keep(nil), keep("s"), keep(true))`},
	{name: "deadlock", text: `
c := make(chan int)
go func() { ask("a") }()
<-c`},
	{name: "ticks", text: `
ask("a")
for { }`},
	{name: "depth", text: `
func f(n int) int { return f(n+1) + 1 }
func main() { ask("a"); f(0) }`},
	{name: "exhausted output", text: `
fmt.Println(ask("a"))
for { for range 100 { fmt.Println(strings.Repeat("x", 10_000)) } }`},
	{name: "main returns", text: `go ask("a"); go ask("b"); runtime.Gosched(); fmt.Println("main")`},
	{name: "goexit", text: `
done := make(chan bool)
go func() { defer close(done); defer fmt.Println(ask("a")); fmt.Println(ask("b")); runtime.Goexit() }()
<-done`},
	{name: "echo", text: "x := ask(`a`)\nx\nlen(ask(x))\n"},
	{name: "closures", text: `
var fs []func() string
for i := range 3 { fs = append(fs, func() string { return ask(fmt.Sprint(i)) }) }
for _, f := range slices.Backward(fs) { fmt.Println(f()) }`},
	{name: "methods", text: `
type S struct{ n int }
func (s *S) String() string { s.n++; return ask(fmt.Sprint(s.n)) }
func main() { s := &S{}; fmt.Println(s, s); fmt.Printf("%v|%s\n", s, s) }`},
	{name: "marshaler", text: `
type M struct{}
func (M) MarshalJSON() ([]byte, error) { return json.Marshal(ask("m")) }
func main() { b, err := json.Marshal([]M{{}, {}}); fmt.Printf("%s %v\n", b, err) }`},
	{name: "rwmutex", text: `
var mu sync.RWMutex
var wg sync.WaitGroup
m := map[int]string{}
for i := range 3 { wg.Go(func() { mu.RLock(); n := len(m); mu.RUnlock(); _ = n; a := ask(fmt.Sprint(i)); mu.Lock(); m[i] = a; mu.Unlock() }) }
wg.Wait()
fmt.Println(m)`},
	{name: "init", text: `
var a = ask("package")
func init() { fmt.Println(a, ask("init")) }
func main() { fmt.Println(ask("main")) }`},
	{name: "timers", text: `
var wg sync.WaitGroup
wg.Add(2)
time.AfterFunc(2*time.Second, func() { defer wg.Done(); fmt.Println("two", ask("2")) })
time.AfterFunc(time.Second, func() { defer wg.Done(); fmt.Println("one", ask("1")) })
wg.Wait()`},
	{name: "select of answers", text: `
a, b := make(chan string), make(chan string)
go func() { a <- ask("a") }()
go func() { b <- ask("b") }()
for range 2 { select { case s := <-a: fmt.Println(s); case s := <-b: fmt.Println(s) } }`, unequal: "what comes first is first"},
	{name: "fast and slow", text: `
var wg sync.WaitGroup
var mu sync.Mutex
got := map[string]string{}
for i := range 3 { wg.Go(func() { s := fmt.Sprint(i); for range 3 { s = ask(quick(s)) }; mu.Lock(); got[fmt.Sprint(i)] = s; mu.Unlock() }) }
wg.Wait()
fmt.Println(got)`},
	{name: "memory statistics", text: `
var s runtime.MemStats
runtime.ReadMemStats(&s)
fmt.Println(s.NumGC >= 0, ask("a"))`},
	{name: "template", text: `
import "text/template"
t := template.Must(template.New("").Funcs(template.FuncMap{"ask": ask}).Parse("{{range .}}{{ask .}} {{end}}"))
fmt.Println(t.Execute(os.Stdout, []string{"a", "b"}))`},
	{name: "callbacks of the library", text: `
import "path/filepath"
os.MkdirAll("/d/e", 0o755)
filepath.WalkDir("/d", func(p string, d fs.DirEntry, err error) error { fmt.Println(ask(p)); return err })
fmt.Println(regexp.MustCompile("[a-c]").ReplaceAllStringFunc("abcd", ask))
p := sync.Pool{New: func() any { return ask("new") }}
fmt.Println(p.Get(), slices.IndexFunc([]string{"a", "b"}, func(s string) bool { return ask(s) == "<b>" }))
s := bufio.NewScanner(strings.NewReader("one two"))
s.Split(func(data []byte, eof bool) (int, []byte, error) { ask(string(data)); return bufio.ScanWords(data, eof) })
for s.Scan() { fmt.Println(s.Text()) }`},
	{name: "context.AfterFunc", text: `
ctx, cancel := context.WithCancelCause(context.Background())
done := make(chan bool)
context.AfterFunc(ctx, func() { fmt.Println("after", ask("a")); close(done) })
cancel(errors.New(ask("cause")))
<-done
fmt.Println(context.Cause(ctx))`},
	{name: "reader of answers", text: `
type R struct{ n int }
func (r *R) Read(p []byte) (int, error) { if r.n++; r.n > 3 { return 0, io.EOF }; return copy(p, ask(fmt.Sprint(r.n))), nil }
func main() { b, err := io.ReadAll(&R{}); fmt.Printf("%s %v\n", b, err); var v struct{}; fmt.Println(json.NewDecoder(&R{}).Decode(&v)) }`},
	{name: "panic while others wait", text: `
go func() { defer fmt.Println("not printed"); ask("a") }()
go func() { ask("b"); var m map[string]int; m["x"] = 1 }()
select {}`, unequal: "it ends before an answer that comes later"},
}
