package log

import (
	"fmt"
	"io"
	"log"
	"path"
	"strings"

	shimruntime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/runtime"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

// Logger is what a script sees as log.Logger. Go's own takes the time in the
// host's zone, ends the host in Fatal, and locks itself for ever when what it
// writes to logs again.
type Logger struct {
	env    *shim.Env
	out    io.Writer
	given  io.Writer // what the script gave for out
	prefix string
	flags  int
}

type stdLogger struct{ *Logger }

// logger is the logger of the package's functions, which writes to the script's
// standard error.
func logger(e *shim.Env) *Logger {
	std := shim.State[stdLogger](e)
	if std.Logger == nil {
		std.Logger = &Logger{env: e, flags: log.LstdFlags}
		std.SetOutput(e.StdStreams().Err)
	}
	return std.Logger
}

func LogNew(e *shim.Env) func(io.Writer, string, int) *Logger {
	return func(w io.Writer, prefix string, flags int) *Logger {
		l := &Logger{env: e, prefix: prefix, flags: flags}
		l.SetOutput(w)
		return l
	}
}

// logRate is a rate for PayText: an entry is put together, and copied where it goes.
const logRate = 4

// Output writes one entry, with the place of a caller: 1 is that of Output.
func (l *Logger) Output(depth int, s string) error { return l.output(depth-1, s) }

// output writes one entry of the script's function that is so far out.
func (l *Logger) output(depth int, s string) error {
	if !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	l.env.PayText(logRate, len(l.prefix)+len(s))
	_, err := io.WriteString(l.out, l.header(depth)+s)
	return err
}

func (l *Logger) header(depth int) string {
	var b strings.Builder
	now := l.env.Now().UTC()
	if l.flags&log.Lmsgprefix == 0 {
		b.WriteString(l.prefix)
	}
	if l.flags&log.Ldate != 0 {
		b.WriteString(now.Format("2006/01/02 "))
	}
	switch {
	case l.flags&log.Lmicroseconds != 0:
		b.WriteString(now.Format("15:04:05.000000 "))
	case l.flags&log.Ltime != 0:
		b.WriteString(now.Format("15:04:05 "))
	}
	if l.flags&(log.Lshortfile|log.Llongfile) != 0 {
		b.WriteString(l.place(depth))
	}
	if l.flags&log.Lmsgprefix != 0 {
		b.WriteString(l.prefix)
	}
	return b.String()
}

// place is that of an entry. A script has but one name for its file.
func (l *Logger) place(depth int) string {
	list := shimruntime.CallersOf(l.env)
	if depth < 0 || depth >= len(list) {
		return "???:0: "
	}
	file := list[depth].File
	if l.flags&log.Lshortfile != 0 {
		file = path.Base(file)
	}
	return fmt.Sprintf("%s:%d: ", file, list[depth].Line)
}

func (l *Logger) sprint(a []any) string {
	return fmt.Sprint(l.env.Printable(a, false)...)
}

func (l *Logger) sprintf(format string, a []any) string {
	format, a = l.env.PrintableFormat(format, a, false, false)
	return fmt.Sprintf(format, a...)
}

func (l *Logger) sprintln(a []any) string {
	return fmt.Sprintln(l.env.Printable(a, false)...)
}

// fatal ends the run, not the host.
func (l *Logger) fatal(s string) {
	_ = l.output(0, s)
	shimos.OsExit(l.env)(1)
}

func (l *Logger) panic(s string) {
	_ = l.output(0, s)
	panic(s)
}

// The methods are those of log.Logger; an entry that cannot be written is lost, as
// there.

func (l *Logger) Print(a ...any)                 { _ = l.output(0, l.sprint(a)) }
func (l *Logger) Printf(format string, a ...any) { _ = l.output(0, l.sprintf(format, a)) }
func (l *Logger) Println(a ...any)               { _ = l.output(0, l.sprintln(a)) }
func (l *Logger) Fatal(a ...any)                 { l.fatal(l.sprint(a)) }
func (l *Logger) Fatalf(format string, a ...any) { l.fatal(l.sprintf(format, a)) }
func (l *Logger) Fatalln(a ...any)               { l.fatal(l.sprintln(a)) }
func (l *Logger) Panic(a ...any)                 { l.panic(l.sprint(a)) }
func (l *Logger) Panicf(format string, a ...any) { l.panic(l.sprintf(format, a)) }
func (l *Logger) Panicln(a ...any)               { l.panic(l.sprintln(a)) }
func (l *Logger) Flags() int                     { return l.flags }
func (l *Logger) SetFlags(flags int)             { l.flags = flags }
func (l *Logger) Prefix() string                 { return l.prefix }
func (l *Logger) SetPrefix(prefix string)        { l.prefix = prefix }
func (l *Logger) Writer() io.Writer              { return l.given }
func (l *Logger) SetOutput(w io.Writer)          { l.out, l.given = l.env.Writer(w), w }

func LogDefault(e *shim.Env) func() *Logger         { return func() *Logger { return logger(e) } }
func LogPrint(e *shim.Env) func(...any)             { return logger(e).Print }
func LogPrintf(e *shim.Env) func(string, ...any)    { return logger(e).Printf }
func LogPrintln(e *shim.Env) func(...any)           { return logger(e).Println }
func LogFatal(e *shim.Env) func(...any)             { return logger(e).Fatal }
func LogFatalf(e *shim.Env) func(string, ...any)    { return logger(e).Fatalf }
func LogFatalln(e *shim.Env) func(...any)           { return logger(e).Fatalln }
func LogPanic(e *shim.Env) func(...any)             { return logger(e).Panic }
func LogPanicf(e *shim.Env) func(string, ...any)    { return logger(e).Panicf }
func LogPanicln(e *shim.Env) func(...any)           { return logger(e).Panicln }
func LogOutput(e *shim.Env) func(int, string) error { return logger(e).Output }
func LogFlags(e *shim.Env) func() int               { return logger(e).Flags }
func LogSetFlags(e *shim.Env) func(int)             { return logger(e).SetFlags }
func LogPrefix(e *shim.Env) func() string           { return logger(e).Prefix }
func LogSetPrefix(e *shim.Env) func(string)         { return logger(e).SetPrefix }
func LogWriter(e *shim.Env) func() io.Writer        { return logger(e).Writer }
func LogSetOutput(e *shim.Env) func(io.Writer)      { return logger(e).SetOutput }
