package sandtraptest

import (
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// channels are host functions that make channels, or work with those that they are
// given, on goroutines of their own. stop ends those.
func channels(stop <-chan struct{}) map[string]any {
	produce := func(c chan<- int, from, n int) {
		for i := range n {
			select {
			case c <- from + i:
			case <-stop:
				return
			}
		}
	}
	return map[string]any{
		"count": func(n int) <-chan int {
			c := make(chan int)
			go func() { defer close(c); produce(c, 1, n) }()
			return c
		},
		"never": func() <-chan int { return make(chan int) },
		"fill":  func(c chan<- int, n int) { go produce(c, 1, n) },
		"finish": func(c chan<- int, n int) {
			go func() { defer close(c); produce(c, 1, n) }()
		},
		"sum": func(c <-chan int) <-chan int {
			out := make(chan int, 1)
			go func() {
				n := 0
				for {
					select {
					case v, ok := <-c:
						if n += v; !ok {
							out <- n
							return
						}
					case <-stop:
						return
					}
				}
			}()
			return out
		},
		"same":    func(c chan int) chan int { return c },
		"half":    func(c chan int) <-chan int { return c },
		"anys":    func() <-chan any { c := make(chan any, 3); c <- 1; c <- "two"; c <- errors.New("three"); return c },
		"lists":   func() chan []string { c := make(chan []string, 1); c <- []string{"a", "b"}; return c },
		"none":    func() <-chan int { return nil },
		"started": func() chan<- struct{} { return make(chan struct{}, 2) },
	}
}

// TestHostChannels: channels go over the border both ways, and are the same ones on both
// sides.
func TestHostChannels(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"range", "n := 0\nfor v := range count(100) { n += v }\nfmt.Print(n)", "5050"},
		{"closed", "c := count(1)\na, ok := <-c\nb, ok2 := <-c\nfmt.Print(a, ok, b, ok2)", "1 true 0 false"},
		{"select", "c, d := count(3), make(chan int)\ngo func() { d <- 10 }()\nn := 0\nfor n != 16 { select {\ncase v, ok := <-c:\nif !ok { c = nil }\nn += v\ncase v := <-d:\nn += v\n} }\nfmt.Print(n)", "16"},
		{"timeout", "select {\ncase <-never():\nfmt.Print(\"value\")\ncase <-time.After(time.Millisecond):\nfmt.Print(\"timeout\")\n}", "timeout"},
		{"default", "select {\ncase <-never():\ndefault:\nfmt.Print(\"default\")\n}", "default"},
		{"several tasks", "c := count(60)\nvar wg sync.WaitGroup\nn := 0\nfor range 7 { wg.Go(func() { for v := range c { n += v } }) }\nwg.Wait()\nfmt.Print(n)", "1830"},
		{"beside a busy one", "c := count(50)\ndone := false\ngo func() { for range c {}; done = true }()\nfor !done {}\nfmt.Print(\"done\")", "done"},
		{"nil", "c := none()\nselect {\ncase <-c:\ndefault:\nfmt.Print(c == nil)\n}", "true"},
		{"the script's, unbuffered", "c := make(chan int)\nfinish(c, 4)\nfor v := range c { fmt.Print(v) }", "1234"},
		{"the script's, buffered", "c := make(chan int, 5)\nc <- 7\nc <- 8\nfinish(c, 2)\nfor v := range c { fmt.Print(v) }", "7812"},
		{"both send", "c := make(chan int)\nfill(c, 3)\ngo func() { for range 3 { c <- 10 } }()\nn := 0\nfor range 6 { n += <-c }\nfmt.Print(n)", "36"},
		{"the host receives", "c := make(chan int)\ns := sum(c)\nfor i := range 100 { c <- i }\nclose(c)\nfmt.Print(<-s)", "4950"},
		{"the host receives what is there", "c := make(chan int, 3)\nc <- 1\nc <- 2\nclose(c)\nfmt.Print(<-sum(c))", "3"},
		{"among tasks", "c := same(make(chan int))\ngo func() { for i := range 3 { c <- i }; close(c) }()\nfor v := range c { fmt.Print(v) }", "012"},
		{"in order", "c := same(make(chan int, 2))\ngo func() { for i := range 10 { c <- i }; close(c) }()\nfor v := range c { fmt.Print(v) }", "0123456789"},
		{"the same", "c := make(chan int, 1)\nd := same(c)\nd <- 5\nvar r <-chan int = c\nfmt.Print(c == d, half(c) == r, len(c), cap(d), <-c)", "true true 1 1 5"},
		{"a waiting receiver", "c := make(chan int)\ngo func() { fmt.Print(<-c) }()\ntime.Sleep(time.Millisecond)\nfill(c, 1)\ntime.Sleep(5*time.Millisecond)", "1"},
		{"a waiting sender", "c := make(chan int)\ngo func() { c <- 9; close(c) }()\ntime.Sleep(time.Millisecond)\nfmt.Print(<-sum(c))", "9"},
		{"any", "for range 3 { select {\ncase v := <-anysc:\nfmt.Print(v, \" \")\n} }", "1 two three "},
		{"slices", "l := <-lists()\nfmt.Print(l, len(l))", "[a b] 2"},
		{"len and cap", "c := started()\nc <- struct{}{}\nfmt.Print(len(c), cap(c))", "1 2"},
		{"send on closed", "c := make(chan int)\nsum(c)\nclose(c)\ndefer func() { fmt.Print(recover()) }()\nc <- 1", "send on closed channel"},
		{"closed twice", "c := make(chan int)\nsum(c)\nclose(c)\ndefer func() { fmt.Print(recover()) }()\nclose(c)", "close of closed channel"},
		{"receive after close", "c := same(make(chan int, 2))\nc <- 4\nclose(c)\na, ok := <-c\nb, ok2 := <-c\nfmt.Print(a, ok, b, ok2)", "4 true 0 false"},
		{"waiting when closed", "c := same(make(chan int))\ngo func() { time.Sleep(time.Millisecond); close(c) }()\n_, ok := <-c\nfmt.Print(ok)", "false"},
		{"sending when closed", "c := same(make(chan int))\ngo func() { time.Sleep(time.Millisecond); close(c) }()\ndefer func() { fmt.Print(recover()) }()\nc <- 1", "send on closed channel"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stop := make(chan struct{})
			p := pure()
			p.Limits.Ticks = 0
			p.Funcs = channels(stop)
			src := "package main\nimport (\"fmt\"; \"sync\"; \"time\")\nvar anysc = anys()\nfunc main() {\n" + tc.body + "\n}\nvar _, _ = sync.NewCond, time.Now\n"
			p.Engine = "vm"
			res, err := rig.RunOnce(t, p, src)
			close(stop)
			if err != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
			}
		})
	}
}

// TestHostSurvivesClose: a script that closes a channel that the host sends to does not
// end the host, whose send would.
func TestHostSurvivesClose(t *testing.T) {
	for name, body := range map[string]string{
		"its own":    "c := make(chan int, 10)\nfill(c, 1000)\nfor range 5 { <-c }\nclose(c)\nfor range c {}\n",
		"the host's": "c := shared()\nclose(c)\n",
	} {
		t.Run(name, func(t *testing.T) {
			stop, sent := make(chan struct{}), make(chan struct{})
			p := pure()
			p.Funcs = channels(stop)
			p.Funcs["shared"] = func() chan int {
				c := make(chan int, 1)
				go func() { defer close(sent); time.Sleep(5 * time.Millisecond); c <- 1; close(c) }()
				return c
			}
			p.Engine = "vm"
			if _, err := rig.RunOnce(t, p, "package main\nfunc main() {\n"+body+"}"); err != nil {
				t.Error(err)
			}
			if name == "the host's" {
				<-sent
			}
			close(stop)
		})
	}
}

// TestHostChannelIsNoDeadlock: what only the host can end is waited for as long as the
// run may take, and leaves nothing; what only the script could end is found at once.
func TestHostChannelIsNoDeadlock(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       error
	}{
		{"the host's", "<-never()", sandtrap.KindTimeout},
		{"the host's, in a goroutine", "go func() { <-never() }()\nselect {}", sandtrap.KindTimeout},
		{"given to the host", "c := make(chan int)\nsame(c)\n<-c", sandtrap.KindTimeout},
		{"selected", "select {\ncase <-never():\ncase <-make(chan int):\n}", sandtrap.KindTimeout},
		{"read to its end", "for range count(3) {}\nselect {}", sandtrap.KindDeadlock},
		{"not waited for", "_ = never()\nselect {}", sandtrap.KindDeadlock},
		{"a ticker", "_ = time.NewTicker(time.Millisecond)\nselect {}", sandtrap.KindDeadlock},
		{"a timer", "t := time.NewTimer(time.Hour)\nt.Stop()\n<-t.C", sandtrap.KindDeadlock},
		{"cancelled by nobody", "ctx, _ := context.WithCancel(context.Background())\n<-ctx.Done()", sandtrap.KindDeadlock},
		{"background", "<-context.Background().Done()", sandtrap.KindDeadlock},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stop := make(chan struct{})
			defer close(stop)
			p := pure()
			p.Limits.Timeout = 200 * time.Millisecond
			p.Funcs = channels(stop)
			src := "package main\nimport (\"context\"; \"time\")\nvar _, _ = context.TODO, time.Now\nfunc main() {\n" + tc.body + "\n}"
			if _, err := runTasks(t, p, src); !errors.Is(err, tc.want) {
				t.Errorf("error %v, want %v", err, tc.want)
			}
		})
	}
}
