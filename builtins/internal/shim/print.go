package shim

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/internal/script"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// fmt shows all that a value holds, what a policy hides too, and where it lies in the
// memory of the host. So what a script prints goes through here: an argument that fmt
// itself would show too much of, or under another name than Go's, is wrapped.

// A Printed is an argument of a function that prints, as a script may see it.
type Printed struct {
	Env   *Env
	Value any
}

// HostValue is what an engine gives a script that gets hold of the argument.
func (a Printed) HostValue() any { return a.Value }

// Format prints the value; the verbs of our own stand for %T and %p.
func (a Printed) Format(s fmt.State, verb rune) {
	switch verb {
	case verbType:
		fmt.Fprintf(s, fmt.FormatString(s, 's'), a.Env.ScriptTypeName(a.Value))
	case verbPlace:
		a.Env.formatPlace(s, a.Value)
	case verbWrap:
		a.wrapsNothing(s)
	default:
		a.Env.show(s, verb, reflect.ValueOf(a.Value), 0, false, "")
	}
}

// wrapsNothing writes what fmt says of an argument of %w that cannot be wrapped there.
func (a Printed) wrapsNothing(s fmt.State) {
	switch {
	case a.Value == nil:
		fmt.Fprint(s, "%!w(<nil>)")
	default:
		if own, ok := a.Value.(engineValue); ok {
			own.FormatAt(s, 'w', 0)
			return
		}
		printer{e: a.Env, s: s, verb: 'w'}.wrongVerb(reflect.ValueOf(a.Value))
	}
}

// A PrintedError is a printed that %w takes.
type PrintedError struct{ Printed }

func (a PrintedError) Error() string { return fmt.Sprint(a.Printed) }

// Unwrap leads to the error itself, for errors.Is and errors.As.
func (a PrintedError) Unwrap() error { return a.Value.(error) }

// Printable makes the arguments of a print without a format fit to be seen, and pays for it.
func (e *Env) Printable(args []any, kept bool) []any {
	e.PayPrint("", args, kept)
	var out []any
	for i, a := range args {
		if e.Showable(a, 'v', false) && !isText(a) {
			continue
		}
		if out == nil {
			out = append([]any(nil), args...)
		}
		if out[i] = e.Wrap(a, 'v'); isText(a) { // between those Print puts no space
			out[i] = fmt.Sprint(out[i])
		}
	}
	if out == nil {
		return args
	}
	return out
}

func isError(v any) bool {
	_, ok := v.(error)
	return ok
}

// isBasic reports what has no methods, and nothing in it that has.
func isBasic(v any) bool {
	switch v.(type) {
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64,
		float32, float64, complex64, complex128, string, []byte, []string, []int, []float64:
		return true
	}
	return false
}

// isText reports a value of a named type whose kind is string.
func isText(v any) bool {
	if own := script.ViewOf(v); own != nil {
		return own.Kind() == reflect.String
	}
	switch v.(type) {
	case nil, string:
		return false
	}
	return reflect.TypeOf(v).Kind() == reflect.String
}

// PrintableFormat is print for a format, in which verbs of our own take the places of %T and %p,
// which fmt answers without asking the argument.
// Only Errorf wraps errors, which is what %w is for.
func (e *Env) PrintableFormat(format string, args []any, kept, wraps bool) (string, []any) {
	e.PayPrint(format, args, kept)
	if len(args) == 0 {
		return format, args
	}
	out, text, from := args, strings.Builder{}, 0
	wrap := func(arg int, verb byte) {
		if &out[0] == &args[0] { // they are the caller's
			out = append([]any(nil), args...)
		}
		out[arg] = e.Wrap(args[arg], verb)
	}
	used, ordered := eachVerb(format, func(at int, verb byte, plain bool, arg int) {
		if arg < 0 || arg >= len(args) {
			return
		}
		if own, ok := ownVerb[verb]; ok {
			text.WriteString(format[from:at] + string(own))
			from = at + 1
			wrap(arg, verb)
		} else if unasked := verb == 'w' && !(wraps && (isError(args[arg]) || isBasic(args[arg]))); unasked || !e.Showable(args[arg], verb, !plain) {
			wrap(arg, verb)
			if unasked { // fmt would show the argument itself
				text.WriteString(format[from:at] + string(verbWrap))
				from = at + 1
			}
		}
	})
	text.WriteString(format[from:])
	if ordered && used < len(args) {
		text.WriteString(strings.ReplaceAll(e.extra(args[used:]), "%", "%%"))
		out = out[:used]
	}
	return text.String(), out
}

// extra is what fmt says of arguments that no verb is for.
func (e *Env) extra(args []any) string {
	list := make([]string, len(args))
	for i, v := range args {
		if list[i] = "<nil>"; v != nil {
			name := e.ScriptTypeName(v)
			if !e.Showable(v, 'v', false) {
				v = e.Wrap(v, 'v')
			}
			list[i] = fmt.Sprintf("%s=%v", name, v)
		}
	}
	return "%!(EXTRA " + strings.Join(list, ", ") + ")"
}

// Wrap wraps an argument.
func (e *Env) Wrap(v any, verb byte) any {
	if _, ok := v.(error); ok && verb == 'w' {
		return PrintedError{Printed{e, v}}
	}
	return Printed{e, v}
}

// Showable reports that fmt itself shows of v what a script may see. flags: there are some
// that change what of it fmt shows.
func (e *Env) Showable(v any, verb byte, flags bool) bool {
	switch v.(type) {
	case Printed, PrintedError:
		return true
	}
	if isBasic(v) {
		return true
	}
	if e.Values != nil && e.Values.TypeName(v) != "" {
		_, ok := v.(fmt.Formatter)
		return ok
	}
	w := e.Showing(reflect.TypeOf(v))
	switch {
	case w.Plain:
		return true
	case verb == 'w' && !w.Full:
		_, formats := v.(fmt.Formatter)
		return w.Has["Error"] && !formats
	case !w.Full || flags || strings.IndexByte("vsqxXw", verb) < 0:
		return false
	}
	switch v.(type) {
	case error, fmt.Stringer:
		return true
	}
	return false
}

// ScriptTypeName is the name of v's type in Go.
func (e *Env) ScriptTypeName(v any) string {
	if v == nil {
		return "<nil>"
	}
	if e.Values != nil {
		if name := e.Values.TypeName(v); name != "" {
			return name
		}
	}
	return goTypeName(v, e.NameOf)
}

// formatPlace is %p.
func (e *Env) formatPlace(s fmt.State, v any) {
	if w, ok := v.(engineValue); ok {
		w.FormatAt(s, 'p', 0)
		return
	}
	p := printer{e: e, s: s, verb: 'p'}
	switch rv := reflect.ValueOf(v); {
	case v == nil:
		fmt.Fprint(s, "%!p(<nil>)")
	case hasPlace(rv):
		p.place(rv)
	default:
		p.wrongVerb(rv)
	}
}

// place is a made-up address for where v points: that of the host's memory is not for
// scripts.
func (e *Env) place(v reflect.Value) uint64 {
	if v.Kind() != reflect.Func && v.IsNil() || v.Kind() == reflect.Func && v.IsZero() {
		return 0
	}
	if e.Values != nil {
		return e.Values.Place(v.Pointer())
	}
	at, made := e.addrs.of(v.Pointer())
	if made {
		e.Charge(64)
	}
	return at
}

// addresses are those that scripts see in place of the host's.
type addresses struct {
	mu   sync.Mutex
	made map[uintptr]uint64
}

// of gives the address that stands for p, and tells whether it is a new one.
func (a *addresses) of(p uintptr) (at uint64, made bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if at = a.made[p]; at != 0 {
		return at, false
	}
	if a.made == nil {
		a.made = map[uintptr]uint64{}
	}
	at = 0xc000010000 + uint64(len(a.made))*64
	a.made[p] = at
	return at, true
}

func hasPlace(v reflect.Value) bool { return kinds.Place.Has(v.Kind()) }

// Price asks for what it takes to print v in Go syntax.
func (e *Env) Price(v any) { e.PayPrint("%#v", []any{v}, true) }
