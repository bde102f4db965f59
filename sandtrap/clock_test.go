package sandtrap

import (
	"testing"
	"time"
)

// TestClock: everything that has to do with time goes by the clock of the run, in the
// order of that.
func TestClock(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"sleep", "start := time.Now()\ntime.Sleep(time.Hour)\nfmt.Print(time.Since(start))", "1h0m0s"},
		{"sleeps overlap", "start, c := time.Now(), make(chan bool)\nfor range 50 { go func() { time.Sleep(time.Minute); c <- true }() }\nfor range 50 { <-c }\nfmt.Print(time.Since(start))", "1m0s"},
		{"order", "for i := range 5 { go func() { time.Sleep(time.Duration(5-i) * time.Minute); fmt.Print(i) }() }\ntime.Sleep(time.Hour)", "43210"},
		{"timers", "start := time.Now()\nt := time.NewTimer(time.Minute)\ntime.AfterFunc(30*time.Second, func() { t.Reset(time.Hour) })\nfmt.Print((<-t.C).Sub(start))", "1h0m30s"},
		{"ticker", "start := time.Now()\ntk := time.NewTicker(time.Minute)\nfor range 3 { fmt.Print((<-tk.C).Sub(start), \" \") }\ntk.Reset(time.Hour)\nfmt.Print((<-tk.C).Sub(start))", "1m0s 2m0s 3m0s 1h3m0s"},
		{"missed ticks", "start := time.Now()\ntk := time.NewTicker(time.Minute)\ntime.Sleep(150 * time.Second)\nfor range 2 { fmt.Print((<-tk.C).Sub(start), \" \") }", "1m0s 3m0s "},
		{"select", "select {\ncase <-time.After(time.Minute):\nfmt.Print(\"after\")\ncase <-time.Tick(time.Second):\nfmt.Print(\"tick\")\n}", "tick"},
		{"timeout", "start := time.Now()\nctx, cancel := context.WithTimeout(context.Background(), time.Minute)\ndefer cancel()\n<-ctx.Done()\nfmt.Print(time.Since(start), \" \", ctx.Err())", "1m0s context deadline exceeded"},
		{"deadline", "ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Minute))\ndefer cancel()\nfmt.Print(ctx)", "context.Background.WithDeadline(2030-01-02 00:01:00 +0000 UTC [1m0s])"},
		{"the earlier deadline", "a, c := context.WithTimeout(context.Background(), time.Minute)\ndefer c()\nb, d := context.WithTimeout(a, time.Hour)\ndefer d()\nt, ok := b.Deadline()\nfmt.Print(time.Until(t), ok)", "1m0s true"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := box(t, Policy{Std: StdDefault(), Limits: Limits{Timeout: 10 * time.Second}, Epoch: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)})
			src := "package main\nimport (\"context\"; \"fmt\"; \"time\")\nvar _ = context.TODO\nfunc main() {\n" + tc.body + "\n}"
			res, err := b.Run(t.Context(), Script{Text: src})
			if err != nil || res.Stdout != tc.want {
				t.Errorf("got %q, %v, want %q", res.Stdout, err, tc.want)
			}
		})
	}
}
