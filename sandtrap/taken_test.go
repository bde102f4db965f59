package sandtrap_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/early"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/worker"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
)

// TestMain has the program of the tests be a worker for who names it as one.
func TestMain(m *testing.M) {
	if early.Worker() {
		worker.Init()
	}
	os.Exit(m.Run())
}

// TestPanicWhileTaking: a panic while a worker's answer is read, and an end of that goroutine, ends the
// worker and no more: its seat is free, and so are those of sessions and functions.
func TestPanicWhileTaking(t *testing.T) {
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Process, Worker: "/proc/self/exe"})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // for all: a seat that is lost is lost for ever
	defer cancel()
	panics := func([]byte) error { panic("in the answer") }
	leaves := func([]byte) error { runtime.Goexit(); return nil }
	for range 10 {
		for what, do := range map[string]func(take func([]byte) error) error{
			"run": func(take func([]byte) error) error { return box.Taking(ctx, "println(1)", take) },
			"session": func(take func([]byte) error) error {
				s, err := box.Session()
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				if err := s.Taking(ctx, "println(1)", take); err != nil {
					if _, again := s.Run(ctx, sandtrap.Script{Text: "println(1)"}); !errors.Is(again, sandtrap.KindWorker) {
						t.Errorf("the session goes on: %v", again)
					}
					return err
				}
				return nil
			},
			"function": func(take func([]byte) error) error {
				res, err := box.Run(ctx, sandtrap.Script{Text: "f := func() {}"})
				if err != nil {
					t.Fatal(err)
				}
				return res.Vars["f"].(*sandtrap.Func).Taking(ctx, take)
			},
		} {
			if err := do(panics); !errors.Is(err, sandtrap.KindWorker) {
				t.Fatalf("%s: %v", what, err)
			}
			left := make(chan bool)
			go func() { defer close(left); do(leaves) }()
			<-left
		}
	}
	if _, err := box.Run(ctx, sandtrap.Script{Text: "println(1)"}); err != nil {
		t.Error(err)
	}
}
