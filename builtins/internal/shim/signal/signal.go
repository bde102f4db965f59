package signal

import (
	"context"
	"os"
	"strconv"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
)

// Scripts have signals to name and to wait for, as programs that end in good order do, but
// none is ever delivered: how a run ends is the host's to say.

// Signal is what a script sees as syscall.Signal.
type Signal int

// Signal makes it an os.Signal.
func (Signal) Signal() {}

// String is the text of Linux.
func (s Signal) String() string {
	if text, ok := signalTexts[s]; ok {
		return text
	}
	return "signal " + strconv.Itoa(int(s))
}

var signalTexts = map[Signal]string{
	1: "hangup", 2: "interrupt", 3: "quit", 4: "illegal instruction", 5: "trace/breakpoint trap", 6: "aborted",
	7: "bus error", 8: "floating point exception", 9: "killed", 10: "user defined signal 1",
	11: "segmentation fault", 12: "user defined signal 2", 13: "broken pipe", 14: "alarm clock", 15: "terminated",
}

var OsInterrupt, OsKill os.Signal = Signal(2), Signal(9)

// Notify lets the script wait, for as long as its run may take.
func Notify(c chan<- os.Signal, _ ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
}

func NotifyContext(e *shim.Env) func(context.Context, ...os.Signal) (context.Context, context.CancelFunc) {
	return func(parent context.Context, _ ...os.Signal) (context.Context, context.CancelFunc) {
		return shimcontext.WithCancel(e)(parent)
	}
}

func Stop(chan<- os.Signal) {}
func Nothing(...os.Signal)  {}
