package sandtrap

import (
	"errors"
	"fmt"
	"testing"
)

// TestStreams: what was printed before the end is kept, each on its own stream.
func TestStreams(t *testing.T) {
	b := box(t, Policy{Std: []string{"fmt", "os"}})
	res, err := b.Run(t.Context(), Script{Text: program("fmt os", `
	fmt.Println("out")
	fmt.Fprintln(os.Stderr, "err")
	println("built in")
	panic(fmt.Sprint("b", "oom"))`)})
	if res.Stdout != "out\n" || res.Stderr != "err\nbuilt in\n" {
		t.Errorf("stdout %q, stderr %q", res.Stdout, res.Stderr)
	}
	if e := res.Error; !errors.Is(err, KindPanic) || e.Message != "boom" {
		t.Errorf("error %v, want a panic with boom", err)
	}
}

// TestExit: leaving with 0 is no failure, and what was printed is kept.
func TestExit(t *testing.T) {
	b := box(t, Policy{Std: []string{"fmt", "os"}})
	for _, code := range []int{0, 1, 3} {
		res, err := b.Run(t.Context(), Script{Text: program("fmt os", fmt.Sprintf("defer fmt.Println(\"never\"); fmt.Println(\"x\"); os.Exit(%d)", code))})
		if got := errors.Is(err, KindExit); got != (code != 0) || code == 0 && err != nil {
			t.Errorf("os.Exit(%d): %v", code, err)
		}
		if code != 0 && res.Error.Code != code {
			t.Errorf("code %d, want %d", res.Error.Code, code)
		}
		if res.Stdout != "x\n" {
			t.Errorf("stdout %q", res.Stdout)
		}
	}
}
