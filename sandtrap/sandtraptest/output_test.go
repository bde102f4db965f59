package sandtraptest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestPrinting: everything that prints does so to the streams of the result, in
// its order.
func TestPrinting(t *testing.T) {
	for _, tc := range []struct{ name, src, stdout, stderr string }{
		{"fmt", `fmt.Print("a", 1, 2, "b"); fmt.Println("c", 3); fmt.Printf("%03d|%q\n", 7, "x")`, "a1 2bc 3\n007|\"x\"\n", ""},
		{"built in", `print("a", 1, "b"); println("c", 2, true, nil == nil2()); println()`, "", "a1bc 2 true true\n\n"},
		{"separators", `println(1, "x", 'a', 2.5, false)`, "", "1 x 97 2.5 false\n"},
		{"mixed", `fmt.Println(1); fmt.Fprintln(os.Stderr, 2); println(3); fmt.Fprint(os.Stdout, 4)`, "1\n4", "2\n3\n"},
		{"methods", `os.Stdout.WriteString("a"); os.Stderr.Write([]byte("b")); io.WriteString(os.Stdout, "c")`, "ac", "b"},
		{"writer", `var b strings.Builder; fmt.Fprintf(&b, "%d", 5); fmt.Print(b.String())`, "5", ""},
		{"buffered", `w := bufio.NewWriter(os.Stdout); fmt.Fprint(w, "x"); fmt.Print("y"); w.Flush()`, "yx", ""},
		{"not flushed", `w := bufio.NewWriter(os.Stdout); fmt.Fprint(w, "x")`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Funcs = map[string]any{"nil2": func() error { return nil }}
				var res *sandtrap.Result
				var err error
				real := hostOutput(b.T, func() { res, err = b.RunOnce(p, tc.src) })
				if err != nil || res.Stdout != tc.stdout || res.Stderr != tc.stderr {
					b.Errorf("stdout %q, stderr %q, %v, want %q and %q", res.Stdout, res.Stderr, err, tc.stdout, tc.stderr)
				}
				if real != "" {
					b.Errorf("the host's own streams got %q", real)
				}
			})
		})
	}
}

// hostOutput is what f makes the process print.
func hostOutput(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	got := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		got <- string(data)
	}()
	f()
	os.Stdout, os.Stderr = stdout, stderr
	w.Close()
	return <-got
}

// TestNoHostFiles: there is no way to a file of the host to print to.
func TestNoHostFiles(t *testing.T) {
	for _, src := range []string{
		`f, _ := os.Create("x"); fmt.Fprint(f, "x")`,
		`f := os.NewFile(1, "stdout"); fmt.Fprint(f, "x")`,
		`f, _ := os.OpenFile("/dev/stdout", 1, 0); fmt.Fprint(f, "x")`,
		`os.Stdout = nil`,
		`*os.Stdout = os.File{}`,
		`os.Stdout.Fd()`,
		`x := os.Stdout.SyscallConn`,
		`var f *os.File = &os.File{}; f.SetDeadline(time.Time{})`,
		`type mine os.File; p := (*mine)(os.Stdout); *p = mine{}`,
	} {
		t.Run(src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if _, err := b.RunOnce(pure(), src); !errors.Is(err, sandtrap.ErrRefused) {
					b.Errorf("error %v, want a refusal", err)
				}
			})
		})
	}
}

// TestOutputCap: of much output the end is kept, marked, and cut between runes;
// each stream by itself.
func TestOutputCap(t *testing.T) {
	const kept = 1024
	for _, tc := range []struct{ name, print string }{
		{"stdout", `fmt.Print`}, {"stderr", `print`},
	} {
		for _, text := range []string{"0123456789abcdef", "äöü€𝄞x"} {
			t.Run(tc.name+" "+text, func(t *testing.T) {
				eachMode(t, func(b bench) {
					p := pure()
					p.Limits.Output = kept
					p.Limits.Timeout = time.Minute
					// 10 MB in all, in pieces that do not divide the cap.
					piece := strings.Repeat(text, 1000)
					n := 10<<20/len(piece) + 1
					res, err := b.Box(p).Run(b.Context(), sandtrap.Script{
						Text:   fmt.Sprintf("for range %d { %s(s) }\n%[2]s(\"the end\")", n, tc.print),
						Inputs: map[string]any{"s": piece},
					})
					if err != nil {
						b.Fatal(err)
					}
					got, other := res.Stdout, res.Stderr
					if tc.name == "stderr" {
						got, other = other, got
					}
					if other != "" {
						b.Errorf("the other stream has %q", other)
					}
					marker, tail, ok := strings.Cut(got, "\n")
					if !ok || len(tail) > kept || len(tail) < kept-utf8.UTFMax || !utf8.ValidString(got) {
						b.Errorf("%d bytes kept after %q, want %d", len(tail), marker, kept)
					}
					if want := strings.Repeat(text, 300) + "the end"; !strings.HasSuffix(want, tail) {
						b.Errorf("kept %.40q … %.20q", tail, tail[len(tail)-20:])
					}
					if !strings.Contains(marker, "cut") {
						b.Errorf("the marker is %q", marker)
					}
				})
			})
		}
	}
}

// TestOutputIsHeld: where all output is kept, there may be as much as the run may hold.
func TestOutputIsHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	const most = 32 << 20
	for _, print := range []string{"fmt.Print(s)", "print(s)", "os.Stdout.WriteString(s)"} {
		eachMode(t, func(b bench) {
			b.OnceApart()
			p := pure()
			p.Limits = sandtrap.Limits{Memory: most, Timeout: time.Minute} // what goes over a wire has a limit too
			res, err := b.RunOnce(p, "s := strings.Repeat(\"x\", 1<<20)\nfor { "+print+" }")
			if !errors.Is(err, sandtrap.KindMemory) {
				b.Errorf("%s: error %v, want KindMemory", print, err)
			}
			if n := len(res.Stdout) + len(res.Stderr); n > most {
				b.Errorf("%s: %d MiB are kept", print, n>>20)
			}
		})
	}
}

// TestWithinTheCap: what fits is whole, and has no marker.
func TestWithinTheCap(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Limits.Output = 10
		if res, err := b.RunOnce(p, `fmt.Print("0123456789"); print("abcdefghij")`); err != nil || res.Stdout != "0123456789" || res.Stderr != "abcdefghij" {
			b.Errorf("got %q, %q, %v", res.Stdout, res.Stderr, err)
		}
	})
}

// TestKeptOnEveryEnd: whatever ends the run, what was printed before is there.
func TestKeptOnEveryEnd(t *testing.T) {
	for name, end := range map[string]string{
		"well": "", "panic": "panic(1)", "runtime error": "var m map[int]int; m[1] = 1", "exit": "os.Exit(0)", "exit 3": "os.Exit(3)",
		"ticks": "for {}", "memory": "n := 1 << 40; _ = make([]byte, n)", "deadlock": "var c chan int; <-c", "depth": "var f func(); f = func() { f() }; f()",
		"host panic": "strings.Repeat(\"x\", -1)",
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Limits.Ticks = 100_000
				res, err := b.RunOnce(p, "kept := 1\nfmt.Println(\"out\")\nprintln(\"err\")\n"+end)
				if b.RefusedByEngine(res) {
					return
				}
				if res.Stdout != "out\n" || res.Stderr != "err\n" {
					b.Errorf("stdout %q, stderr %q, %v", res.Stdout, res.Stderr, err)
				}
				if (err != nil) != (end != "" && name != "exit") {
					b.Errorf("error %v", err)
				}
				if res.Engine != b.Engine || res.Isolation.Mode != b.Isolation || res.Duration <= 0 {
					b.Errorf("engine %q, isolation %q, duration %v", res.Engine, res.Isolation.Mode, res.Duration)
				}
			})
		})
	}
}

// TestRunsApart: runs at the same time, of one sandbox and of several, see only
// their own, however they end; nothing is left of them.
func TestRunsApart(t *testing.T) {
	eachMode(t, func(b bench) {
		before := runtime.NumGoroutine()
		shared := b.Box(pure())
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				box := shared
				if i%2 == 1 {
					box = b.Box(pure())
					defer box.Close()
				}
				marker := fmt.Sprintf("marker-%02d", i)
				src := "seen := in\nfor range 5 { fmt.Println(in); println(in); time.Sleep(time.Millisecond) }\n"
				if i%4 == 0 {
					src += "panic(in)"
				}
				res, err := box.Run(b.Context(), sandtrap.Script{Text: src, Inputs: map[string]any{"in": marker}, Args: []string{marker}})
				if want := strings.Repeat(marker+"\n", 5); res.Stdout != want || res.Stderr != want {
					b.Errorf("run %d printed %q and %q", i, res.Stdout, res.Stderr)
				}
				if res.Vars["seen"] != marker {
					b.Errorf("run %d left %v", i, res.Vars)
				}
				if i%4 == 0 && (!errors.Is(err, sandtrap.KindPanic) || res.Error.Message != marker) || i%4 != 0 && err != nil {
					b.Errorf("run %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		shared.Close() // and its workers end
		if left := rig.Settled(before); left > before {
			b.Errorf("%d goroutines are left", left-before)
		}
	})
}

// A gauge is a writer that counts, and looks at what of the heap is in use.
type gauge struct{ bytes, writes, most int64 }

func (g *gauge) Write(p []byte) (int, error) {
	g.bytes += int64(len(p))
	if g.writes++; g.writes%512 == 1 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		g.most = max(g.most, int64(now.HeapAlloc))
	}
	return len(p), nil
}

// TestEndlessOutput: however much a script prints, all of it gets to the host's writer, and the host
// keeps the end alone.
func TestEndlessOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachMode(t, func(b bench) {
		b.OnceApart()
		const kept = 1 << 20
		pieces := int64(128)
		if b.Isolation == sandtrap.Kernel {
			pieces = 1024 // 1 GiB
		}
		p := pure()
		p.Limits = sandtrap.Limits{Output: kept, Memory: 64 << 20, Timeout: time.Minute}
		box := b.Box(p)
		var out gauge
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		res, err := box.Run(b.Context(), sandtrap.Script{
			Text:   `s := strings.Repeat("x", 1<<20); for range pieces { fmt.Print(s) }`,
			Inputs: map[string]any{"pieces": pieces}, Stdout: &out,
		})
		if err != nil || out.bytes != pieces<<20 || len(res.Stdout) > kept+100 {
			b.Errorf("%d bytes came, %d are kept, %v", out.bytes, len(res.Stdout), err)
		}
		if grown := out.most - int64(before.HeapAlloc); grown > 64<<20 {
			b.Errorf("the heap of the host has grown by %d MB", grown>>20)
		}
	})
}
