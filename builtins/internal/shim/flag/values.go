package flag

import (
	"encoding"
	"flag"
	"fmt"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// flagValue is a value of the script's. Go asks a zero one for its text to see whether
// a default is worth telling.
type flagValue struct{ flag.Value }

func (v *flagValue) String() string {
	if v.Value == nil {
		return ""
	}
	return v.Value.String()
}

func (v *flagValue) IsBoolFlag() bool {
	b, ok := v.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// Var adds a flag of the script's own type.
func (f *FlagSet) Var(value flag.Value, name, usage string) {
	f.goFlagSet.Var(&flagValue{value}, name, usage)
}

// A TextFlag is what a script sees as the value behind a flag with a text: it calls the methods
// of the variable as the script would.
type TextFlag struct {
	p encoding.TextUnmarshaler
	e *shim.Env
}

// Set is as the documentation of flag.Value says.
func (t TextFlag) Set(s string) error { return t.e.UnmarshalText(t.p, []byte(s)) }

// Get is as the documentation of flag.Getter says.
func (t TextFlag) Get() any { return t.p }

// String is as the documentation of flag.Value says.
func (t TextFlag) String() string {
	if m, ok := t.p.(encoding.TextMarshaler); ok {
		if text, err := t.e.MarshalText(m); err == nil {
			return string(text)
		}
	}
	return ""
}

// TextVar adds a flag with the text of a variable.
func (f *FlagSet) TextVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	f.sameType(p, value)
	flag := TextFlag{p, f.env}
	to := script.ViewOf(p)
	switch {
	case to == nil:
		def := reflect.ValueOf(value)
		if def.Kind() == reflect.Pointer {
			def = def.Elem()
		}
		reflect.ValueOf(p).Elem().Set(def)
		f.goFlagSet.Var(flag, name, usage)
	case !to.Assign(value):
		panic(&reflect.ValueError{Method: "reflect.Value.Set"})
	default:
		f.Var(flag, name, usage)
	}
}

// sameType panics as Go does where p cannot have value for a default.
func (f *FlagSet) sameType(p, value any) {
	if value == nil {
		panic(&reflect.ValueError{Method: "reflect.Value.Type"})
	}
	have, elem := strings.TrimPrefix(f.env.ScriptTypeName(value), "*"), f.env.ScriptTypeName(p)
	if elem[0] != '*' {
		panic("variable value type must be a pointer")
	}
	if elem = elem[1:]; have != elem {
		panic(fmt.Sprintf("default type does not match variable type: %v != %v", have, elem))
	}
}

// shown is a flag with the script's value.
func shown(f *flag.Flag) *flag.Flag {
	if f == nil {
		return nil
	}
	if v, ok := f.Value.(*flagValue); ok {
		c := *f
		c.Value = v.Value
		return &c
	}
	return f
}

// PrintDefaults prints the flags and their defaults, but those that are what a zero value
// of their type says of itself: Go's own asks one that it makes, which it cannot of a type
// of the script's.
func (f *FlagSet) PrintDefaults() {
	var failed []string
	hidden := map[*flag.Flag]string{}
	size := 0
	f.goFlagSet.VisitAll(func(x *flag.Flag) {
		size += len(x.Usage) + len(x.DefValue)
		own, ok := x.Value.(*flagValue)
		if !ok {
			return
		}
		z := script.ViewOf(own.Value)
		if z == nil {
			return
		}
		text, failure := z.ZeroString()
		if failure != nil {
			failed = append(failed, fmt.Sprintf("panic calling String method on zero %s for flag %s: %v", elemName(f.env, own.Value), x.Name, failure))
		}
		if failure != nil || text == x.DefValue {
			hidden[x], x.DefValue = x.DefValue, ""
		}
	})
	f.payUsage(size)
	f.goFlagSet.PrintDefaults()
	for x, text := range hidden {
		x.DefValue = text
	}
	if len(failed) > 0 {
		fmt.Fprintln(f.Output())
	}
	for _, text := range failed {
		fmt.Fprintln(f.Output(), text)
	}
}

// payUsage asks for what is printed of flags with so long texts: lines are indented, and defaults
// are quoted.
func (f *FlagSet) payUsage(n int) {
	if n >= shim.LargeText {
		f.env.ChargeProduct(usageTimes, int64(n))
		f.env.PayText(2*shim.QuoteRate, n)
	}
}

const usageTimes = 10 // as long as a text can get, in two copies

// elemName is the name of v's type, or of what it points to.
func elemName(e *shim.Env, v any) string {
	name := e.ScriptTypeName(v)
	if name[0] == '*' {
		return name[1:]
	}
	return name
}

// ValueType is a row's value for the type that package flag keeps the flags of one kind
// in; scripts meet it behind flag.Value.
func ValueType(add func(*flag.FlagSet)) any {
	var set flag.FlagSet
	add(&set)
	var v flag.Value
	set.VisitAll(func(f *flag.Flag) { v = f.Value })
	rt := reflect.TypeOf(v)
	if rt.Kind() != reflect.Pointer {
		rt = reflect.PointerTo(rt)
	}
	return reflect.Zero(rt).Interface()
}
