package sandtraptest

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestRuntimeIsTheScripts: package runtime tells of the run alone, and the same each time.
func TestRuntimeIsTheScripts(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"one processor", "fmt.Print(runtime.NumCPU(), runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(8), runtime.GOMAXPROCS(0))", "1 1 1 1"},
		{"goroutines", "c := make(chan int)\nfor range 5 { go func() { <-c }() }\nn := runtime.NumGoroutine()\nclose(c)\nruntime.Gosched()\nfmt.Print(n, runtime.NumGoroutine())", "6 1"},
		{"goroutines that callbacks park", "c := make(chan rune)\nfor range 3 { go strings.Map(func(r rune) rune { return <-c }, \"x\") }\nruntime.Gosched()\nfmt.Print(runtime.NumGoroutine())", "4"},
		{"Gosched", "s := \"\"\nfor _, x := range \"ab\" { go func() { for range 3 { s += string(x); runtime.Gosched() } }() }\nfor range 4 { runtime.Gosched() }\nfmt.Print(s)", "ababab"},
		{"Goexit", "done := make(chan int)\ngo func() { defer close(done); defer func() { fmt.Print(recover(), \" \") }(); runtime.Goexit(); fmt.Print(\"no\") }()\n<-done\nfmt.Print(runtime.NumGoroutine())", "<nil> 1"},
		{"Caller", "_, file, line, ok := runtime.Caller(0)\nfmt.Print(file, line, ok)", "script.go4 true"},
		{"Caller of nobody", "pc, file, line, ok := runtime.Caller(99)\nfmt.Print(pc, file, line, ok)", "00 false"},
		{"FuncForPC", "pc, _, _, _ := runtime.Caller(0)\nfmt.Print(runtime.FuncForPC(pc).Name(), runtime.FuncForPC(1) == nil)", "main.maintrue"},
		{"Callers", "pcs := make([]uintptr, 9)\nfs := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])\nf, more := fs.Next()\nfmt.Print(f.Function, f.Line, more)", "main.main5 true"},
		{"Stack", "fmt.Print(string(debug.Stack()))", "goroutine 1 [running]:\nmain.main(...)\n\tscript.go:4\n"},
		{"Stack of a goroutine", "c := make(chan []byte)\ngo func() { c <- debug.Stack() }()\nfmt.Print(string(<-c))", "goroutine 2 [running]:\nmain.main.func1(...)\n\tscript.go:5\n"},
		{"MemStats", "var a, b runtime.MemStats\nruntime.ReadMemStats(&a)\nl := make([]byte, 1<<20)\nruntime.GC()\nruntime.ReadMemStats(&b)\nfmt.Print(b.TotalAlloc-a.TotalAlloc >= 1<<20, b.HeapAlloc-a.HeapAlloc >= 1<<20, b.TotalAlloc < 2<<20, b.NumGC-a.NumGC, len(l))", "true true true 1 1048576"},
		{"MemStats, each time", "var a runtime.MemStats\nl := map[int]string{}\nfor i := range 1000 { l[i] = fmt.Sprint(i) }\nruntime.ReadMemStats(&a)\nfmt.Print(a.Alloc > 0, a.Alloc == a.TotalAlloc, a.Sys == a.Alloc)", "true true true"},
		{"what is the host's", "fmt.Print(debug.SetGCPercent(1), debug.SetGCPercent(-1), debug.SetMaxStack(1), debug.SetMaxThreads(1), debug.SetMemoryLimit(1) > 0, runtime.NumCgoCall())", "100 100 1000000000 10000 true 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: limits}
			src := "package main\nimport (\"fmt\"; \"runtime\"; \"runtime/debug\"; \"strings\"); var _, _, _, _ = fmt.Sprint, runtime.GC, debug.Stack, strings.Map\nfunc main() {\n" + tc.body + "\n}\n"
			for range 3 {
				res, err := rig.RunOnce(t, p, src)
				if err != nil || res.Stdout != tc.want {
					t.Fatalf("got %q, %v, want %q", res.Stdout, err, tc.want)
				}
			}
		})
	}
}
