package sandtrap

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// TestForgedAnswer: a worker that sends an answer of another type than the host has asked for,
// or none that is whole, gets an error; nothing of it is decoded.
func TestForgedAnswer(t *testing.T) {
	plan, err := Compile(Policy{})
	if err != nil {
		t.Fatal(err)
	}
	type bill struct {
		Title string
		Sum   float64
		More  *bill
	}
	for name, from := range map[string]any{
		"other fields": &struct{ Title, Sum string }{"x", "y"}, "a field less": &struct{ Title string }{"x"}, "a list": &[]string{"x", "y"},
		"one of any type": &struct {
			Title any
			Sum   float64
		}{"x", 1},
	} {
		answer, err := (&carry.Handles{}).EncodeFrom(from)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(answer); i >= 0; i-- {
			got := bill{Title: "as it was"}
			c := &remoteCall{script: Script{Result: &got}, place: &remoteFuncs{}}
			err := plan.take(t.Context(), &jobs.Result{Answer: answer[:i]}, c, plan.result())
			if !errors.Is(err, KindContract) || got != (bill{Title: "as it was"}) {
				t.Errorf("%s, %d of %d bytes: %v, %v", name, i, len(answer), got, err)
			}
		}
	}
}

// TestForgedDeath: of what a worker says at last the first line is told, and no place in the sources of
// the host.
func TestForgedDeath(t *testing.T) {
	death := &isolate.DeathError{Cause: isolate.Crashed, Text: "exit status 2: fatal error: broken\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/host/main.go:7 +0x1b\n"}
	err := (&Plan{}).workerFailure(t.Context(), t.Context(), death)
	if want := "the worker failed (crash): exit status 2: fatal error: broken (a later run gets another worker; a session and the functions that a run left end with theirs)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestForbiddenCall: of a worker that the kernel ended for a system call its Error names the signal, and says
// where the number of the call is told; of others it does not. So does the Error in JSON.
func TestForbiddenCall(t *testing.T) {
	for cause, want := range map[isolate.Cause]bool{isolate.Syscall: true, isolate.Crashed: false} {
		err := (&Plan{}).workerFailure(t.Context(), t.Context(), &isolate.DeathError{Cause: cause, Text: "SIGSYS: text"})
		line, _ := json.Marshal(err)
		for _, text := range []string{err.Error(), string(line)} {
			if !errors.Is(err, KindWorker) || !strings.Contains(text, "SIGSYS") || strings.Contains(text, "Policy.Audit") != want {
				t.Errorf("%s: %s", cause, text)
			}
		}
	}
}

// TestForgedTexts: the texts of an error, with those of its reasons, are no longer than a worker makes them.
func TestForgedTexts(t *testing.T) {
	long := strings.Repeat("x", jobs.MaxText)
	for name, tc := range map[string]struct {
		e    jobs.Error
		want Kind
	}{
		"as long as may be": {jobs.Error{Kind: "panic", Message: long, Hint: "hint"}, KindPanic},
		"message":           {jobs.Error{Kind: "panic", Message: long + long}, KindWorker},
		"hint":              {jobs.Error{Kind: "panic", Message: long, Hint: long}, KindWorker},
		"name":              {jobs.Error{Kind: "panic", Message: long, Name: long}, KindWorker},
		"reasons":           {jobs.Error{Kind: "type", Message: long, More: []*jobs.Error{{Kind: "type", Message: long}}}, KindWorker},
		"kind of a reason":  {jobs.Error{Kind: "type", More: []*jobs.Error{{Kind: "isolation"}}}, KindWorker},
	} {
		if got := receivedError(&tc.e); got.Kind != tc.want || len(got.Error()) > jobs.MaxText+100 {
			t.Errorf("%s: %s with %d bytes", name, got.Kind, len(got.Error()))
		}
	}
}
