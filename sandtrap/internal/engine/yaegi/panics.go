package yaegi

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/traefik/yaegi/interp"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// thrown is a panic of the script on its way up. The value itself stays in the
// script, at the index; v is what the host sees of it.
type thrown struct {
	v     any
	index int
	pos   token.Pos
	typ   string
}

func throw(v any, index, pos int, typ string) {
	if v == nil {
		panic(runtimeError(nilPanic))
	}
	panic(&thrown{v, index, token.Pos(pos), typ})
}

// thrownIndex is where the script keeps the value, -1 if it is not one of its own.
func thrownIndex(v any) int {
	if t, ok := v.(*thrown); ok {
		return t.index
	}
	return -1
}

const nilPanic = "panic called with nil argument (use GODEBUG=panicnil=1 to disable)"

// A runtimeError is an error of Go's run time, as the script sees it.
type runtimeError string

func (e runtimeError) Error() string {
	for _, p := range [...]string{nilPanic, "interface conversion", "assignment to", "send on closed", "close of"} {
		if strings.HasPrefix(string(e), p) {
			return string(e)
		}
	}
	return "runtime error: " + string(e)
}

// RuntimeError makes it a runtime.Error.
func (runtimeError) RuntimeError() {}

var _ runtime.Error = runtimeError("")

// unwrap takes the interpreter's wrapping off a recovered value.
func unwrap(v any) any {
	for {
		r, ok := v.(reflect.Value)
		if !ok || !r.IsValid() || !r.CanInterface() {
			return v
		}
		v = r.Interface()
	}
}

// own reports whether v is a panic as the script may see it.
func own(v any) bool {
	switch v.(type) {
	case *thrown, runtimeError:
		return true
	}
	return false
}

// v2script is what the script gets from recover: its own panics as they are, those
// of the interpreter as Go's. What it makes of host panics is their own value.
func v2script(v any) any {
	if v == nil || own(v) {
		return v
	}
	if e, ok := asRuntimeError(v); ok {
		return e
	}
	return v
}

// translations turn the texts of reflect, with which the interpreter does what Go
// compiles, and its own, into those of Go's run time.
var translations = sync.OnceValue(func() []translation {
	return []translation{
		{regexp.MustCompile(`^reflect: (?:slice|array|string) index out of range`), "index out of range"},
		{regexp.MustCompile(`^reflect: call of reflect\.Value\.(?:Index|Len|Slice3?) on (?:zero|ptr|interface) Value`), nilPointer},
		{regexp.MustCompile(`^reflect.Value.Slice3?: .*(?:out of bounds|out of range)`), "slice bounds out of range"},
		{regexp.MustCompile(`^reflect: call of reflect\.Value\.\w+ on (?:zero|ptr|interface) Value`), nilPointer},
		{regexp.MustCompile(`^reflect: Call using zero Value argument`), nilPointer},
		{regexp.MustCompile(`^reflect(?:: |\.Value\.)(?:Call|call)(?:: |.* )(?:call of nil function|nil Func)`), nilPointer},
		{regexp.MustCompile(`^reflect: (?:Method|MethodByName|Call) on nil (?:interface|pointer|func)`), nilPointer},
		{regexp.MustCompile(`^reflect: cannot convert slice with length (\d+) to (?:array|pointer to array) with length (\d+)`),
			"cannot convert slice with length $1 to array or pointer to array with length $2"},
		{regexp.MustCompile(`^hash of unhashable type:? (.*)`), "hash of unhashable type $1"},
		{regexp.MustCompile(`^(?:[^ ]*:\d+:\d+: )?(interface conversion: .*)`), "$1"},
		{regexp.MustCompile(`^(assignment to entry in nil map)`), "$1"},
	}
})

// A translation is a row of that table.
type translation struct {
	re *regexp.Regexp
	to string
}

const nilPointer = "invalid memory address or nil pointer dereference"

// asRuntimeError is what Go's run time would have panicked with.
func asRuntimeError(v any) (runtimeError, bool) {
	text, ok := faultText(v)
	if !ok {
		return "", false
	}
	if t, ok := strings.CutPrefix(text, "runtime error: "); ok {
		text = t
	}
	for _, t := range translations() {
		if m := t.re.FindStringSubmatchIndex(text); m != nil {
			return runtimeError(t.re.ExpandString(nil, t.to, text, m)), true
		}
	}
	if e, ok := v.(runtime.Error); ok && ofRuntime(e) {
		return runtimeError(text), true
	}
	return "", false
}

// ofRuntime tells an error of Go's run time from those of a host that pass for one.
func ofRuntime(e runtime.Error) bool {
	t := reflect.TypeOf(e)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() == "runtime"
}

func faultText(v any) (string, bool) {
	switch v := v.(type) {
	case error:
		return v.Error(), true
	case string:
		return v, true
	}
	return "", false
}

// ofInterpreter reports whether the interpreter itself failed; other values come
// from functions of the host, whose panics are panics of the script.
func ofInterpreter(v any) bool {
	text, ok := faultText(v)
	if !ok || strings.HasPrefix(text, "reflect") {
		return true
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return strings.HasPrefix(t.PkgPath(), reflect.TypeFor[interp.Interpreter]().PkgPath()) || t.PkgPath() == "reflect"
}

// panicOf describes an unrecovered panic, or the failure of the interpreter that it
// is.
func (s *run) panicOf(v any) (p *engine.Panic, fault error) {
	defer func() {
		if r := recover(); r != nil {
			p, fault = nil, s.fault("print a panic of", "its value")
		}
	}()
	v = unwrap(v)
	switch v := v.(type) {
	case *thrown:
		return &engine.Panic{Text: s.panicText(v.v, v.typ), Stack: s.frames(s.position(v.pos))}, nil
	case runtimeError:
		return &engine.Panic{Text: v.Error(), Stack: s.frames(diag.Position{})}, nil
	}
	if e, ok := asRuntimeError(v); ok {
		return &engine.Panic{Text: e.Error(), Stack: s.frames(diag.Position{})}, nil
	}
	if !ofInterpreter(v) {
		text, _ := faultText(v)
		return &engine.Panic{Text: clean(text), Stack: s.frames(diag.Position{})}, nil
	}
	return nil, s.fault("run", v)
}

// panicText is what Go prints after "panic: ".
func (s *run) panicText(v any, typ string) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case error, fmt.Stringer:
		return fmt.Sprint(s.Shown(v))
	}
	r := reflect.ValueOf(v)
	named := types.Universe.Lookup(typ) == nil
	switch k := r.Kind(); {
	case !kinds.Basic.Has(k):
		return "(" + typ + ") 0x0"
	case !named:
		return printed(v)
	case k == reflect.String:
		return typ + `("` + r.String() + `")`
	}
	return typ + "(" + printed(v) + ")"
}

// A stack collects the frames that the interpreter reports, one a line, while a
// panic unwinds it.
type stack struct {
	line  []byte
	funcs []diag.Position
	names []string
}

// maxFrames is how many frames of a deep stack are kept.
const maxFrames = 64

func newStack() *stack { return &stack{} }

var frameLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*):(\d+):(\d+): panic: (.*)\(\.\.\.\)$`) })

// Write takes what the interpreter writes to its stderr.
func (k *stack) Write(p []byte) (int, error) {
	if len(k.names) >= maxFrames {
		return len(p), nil
	}
	k.line = append(k.line, p...)
	for {
		i := bytes.IndexByte(k.line, '\n')
		if i < 0 {
			return len(p), nil
		}
		if m := frameLine().FindSubmatch(k.line[:i]); m != nil {
			line, _ := strconv.Atoi(string(m[2]))
			column, _ := strconv.Atoi(string(m[3]))
			k.names = append(k.names, string(m[4]))
			k.funcs = append(k.funcs, diag.Position{Name: string(m[1]), Line: line, Column: column})
		}
		k.line = k.line[i+1:]
	}
}

// frames are those of a panic at a place that may be unknown.
func (s *run) frames(at diag.Position) []engine.Frame { return s.stack.frames(at, s.funcNames()) }

// frames returns the frames, with the place of the panic in the innermost. The
// interpreter tells where a function begins, not where in it the call was.
func (k *stack) frames(at diag.Position, names map[diag.Position]string) []engine.Frame {
	var out []engine.Frame
	for i, name := range k.names {
		if name == "main.__st_throw" || name == "main" {
			continue
		}
		pos := k.funcs[i]
		if n, ok := names[pos]; ok {
			name = n
		}
		if len(out) == 0 && at.Line > 0 {
			pos = at
		}
		out = append(out, engine.Frame{Func: name, Pos: pos})
	}
	if len(out) == 0 && at.Line > 0 {
		out = append(out, engine.Frame{Func: "main", Pos: at})
	}
	return out
}

// clean removes from a text of the interpreter what tells of the host: addresses.
func clean(text string) string { return address().ReplaceAllString(text, "0x0") }

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`0x[0-9a-f]{4,}`) })

func typeText(t types.Type) string {
	if t == nil {
		return ""
	}
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}
