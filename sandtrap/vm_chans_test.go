package sandtrap

import "testing"

// TestVMChannelValues: a value that waits in a channel, or in a task that waits to send
// it, is the one that was sent.
func TestVMChannelValues(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"a buffer that grows in the middle", `
			type v struct { n int; s string; p *int }
			c, next, want := make(chan v, 100), 0, 0
			for round := range 40 {
				for range 1 + round%9 { n := next; c <- v{n, fmt.Sprint(n), &n}; next++ }
				for range 1 + round%7 { x := <-c; if x.n != want || x.s != fmt.Sprint(want) || *x.p != want { fmt.Print("got ", x.n, " want ", want, "; ") }; want++ }
			}
			fmt.Print(next, " ", want, " ", len(c), " ", cap(c))`, "190 155 35 100"},
		{"arrays are copied", `
			c, d := make(chan [20]int, 2), make(chan [20]int)
			var a [20]int
			c <- a; a[3] = 1; c <- a; a[3] = 2
			go func() { b := a; d <- b; b[3] = 7; d <- b }()
			x, y := <-d, <-d
			fmt.Print((<-c)[3], (<-c)[3], a[3], x[3], y[3])`, "0 1 2 2 7"},
		{"senders wait in order", `
			c := make(chan string)
			for _, s := range []string{"a", "b", "c"} { go func() { c <- s + s } () }
			fmt.Print(<-c, <-c, <-c)`, "aabbcc"},
		{"what waits moves up into the buffer", `
			c := make(chan int, 1)
			go func() { for i := range 6 { c <- i }; close(c) }()
			for x := range c { fmt.Print(x) }
			x, ok := <-c
			fmt.Print(x, ok)`, "0123450 false"},
		{"a task waits again and again, in select too", `
			a, b, done := make(chan int), make(chan string), make(chan bool)
			go func() {
				for i := range 4 { select { case a <- i: case b <- fmt.Sprint("s", i): }; runtime.Gosched(); a <- 10 + i }
				close(done)
			}()
			for ok := true; ok; { select { case n := <-a: fmt.Print(n, " "); case <-done: ok = false } }`, "0 10 1 11 2 12 3 13 "},
		{"close wakes senders and receivers", `
			c, out := make(chan int), make(chan string, 2)
			go func() { defer func() { out <- fmt.Sprint(recover()) }(); c <- 1 }()
			runtime.Gosched()
			close(c)
			d := make(chan [20]string)
			go func() { x, ok := <-d; out <- fmt.Sprint(len(x[0]), ok) }()
			runtime.Gosched()
			close(d)
			fmt.Print(<-out, " ", <-out)`, "send on closed channel 0 false"},
		{"values without size", `
			c := make(chan struct{}, 3)
			c <- struct{}{}; c <- struct{}{}
			fmt.Print(len(c), <-c, len(c))`, "2 {} 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport (\"fmt\"; \"runtime\")\nvar _ = runtime.Gosched\nfunc main() {" + tc.body + "\n}\n"
			res, e := onVM(t, Limits{}, src)
			if e != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, e, tc.want)
			}
		})
	}
}
