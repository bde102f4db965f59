package yaegi

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/gates"
)

func TestChannels(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"buffered", `c := make(chan int, 2); c <- 1; c <- 2; print(len(c), cap(c), <-c, <-c)`, "2212"},
		{"closed", `c := make(chan string, 1); c <- "a"; close(c)
v, ok := <-c; print(v, ok); v, ok = <-c; print(v, ok, <-c == "")`, "atruefalsetrue"},
		{"range", `c := make(chan int, 3); for i := 1; i < 4; i++ { c <- i }; close(c)
for v := range c { if v == 2 { continue }; print(v) }; for range c { print("no") }`, "13"},
		{"select default", `c := make(chan int); select { case c <- 1: print("s"); case v := <-c: print(v); default: print("d") }`, "d"},
		{"select receive", `c := make(chan int, 1); c <- 5; var n chan int
select { case v, ok := <-c: print(v, ok); case <-n: print("nil") }`, "5true"},
		{"select send", `c := make(chan int, 1); select { case c <- 7: print(len(c), <-c) }`, "17"},
		{"select break", `c := make(chan int, 1); c <- 1
l: for { select { case <-c: break; default: break l }; print("x") }`, "x"},
		{"struct elements", `type p struct { n int }; _ = p{}; c := make(chan struct{ a, b int }, 1)
_ = c; d := make(chan any, 2); d <- "a"; d <- nil; print((<-d).(string), (<-d) == nil)`, "atrue"},
		{"closed panics", `c := make(chan int, 1); close(c)
defer func() { print(recover().(error).Error()) }(); c <- 1`, "send on closed channel"},
		{"closed twice", `c := make(chan int, 1); close(c)
defer func() { print(recover().(error).Error()) }(); close(c)`, "close of closed channel"},
		{"close of nil", `var c chan int
defer func() { print(recover().(error).Error()) }(); close(c)`, "close of nil channel"},
		{"send to closed and full", `c := make(chan int); close(c)
defer func() { print(recover().(error).Error()) }(); select { case c <- 1: }`, "send on closed channel"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, _, _, out := runSource(t, "package main\nfunc main() {\n"+tc.src+"\n}", gates.Limits{Ticks: 10_000})
			if o.Fault != nil || o.Panic != nil || o.Stop != nil || out != tc.want {
				t.Errorf("got %q, %+v; want %q", out, o, tc.want)
			}
		})
	}
}

func TestChannelsThatWaitForEver(t *testing.T) {
	for _, tc := range []struct{ name, src string }{
		{"receive", `c := make(chan int); <-c`},
		{"receive from an empty one", `c := make(chan int, 1); _, ok := <-c; print(ok)`},
		{"receive from nil", `var c chan int; print(<-c)`},
		{"send", `c := make(chan int); c <- 1`},
		{"send to a full one", `c := make(chan int, 1); c <- 1; c <- 2`},
		{"send to nil", `var c chan<- string; c <- "a"`},
		{"range", `c := make(chan int, 1); c <- 1; for v := range c { _ = v }`},
		{"select", `c := make(chan int); select { case <-c: case c <- 1: }`},
		{"select without cases", `select {}`},
		{"recovered", `defer func() { recover(); print("on") }(); var c chan int; <-c`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, _, _, out := runSource(t, "package main\nfunc main() {\n"+tc.src+"\n}", gates.Limits{Ticks: 10_000})
			if o.Stop == nil || o.Stop.Reason != gates.Deadlock || out != "" {
				t.Errorf("got %q, %+v; want a deadlock", out, o)
			}
		})
	}
}
