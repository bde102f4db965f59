package builtins

import (
	"reflect"
)

func cmpInstance(name string) instance {
	switch name {
	case "Compare":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(compare(e, a[0], a[1]))
		}
	case "Less":
		return func(e *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return results(compare(e, a[0], a[1]) < 0)
		}
	case "Or":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			for i := range a[0].Len() {
				if v := a[0].Index(i); !v.IsZero() {
					return []reflect.Value{v}
				}
			}
			return []reflect.Value{reflect.Zero(ft.Out(0))}
		}
	}
	return nil
}

// results makes the results of a function out of plain values.
func results(list ...any) []reflect.Value {
	out := make([]reflect.Value, len(list))
	for i, v := range list {
		out[i] = reflect.ValueOf(v)
	}
	return out
}

// compareWith is the comparison that a function of the script makes.
func compareWith(f reflect.Value) func(a, b reflect.Value) int {
	return func(a, b reflect.Value) int { return int(f.Call([]reflect.Value{a, b})[0].Int()) }
}

// holds asks a predicate of the script.
func holds(f reflect.Value, args ...reflect.Value) bool { return f.Call(args)[0].Bool() }

// sequence makes an iterator of the given type. produce calls yield with each
// element until yield says no.
func sequence(rt reflect.Type, produce func(yield func(...reflect.Value) bool)) []reflect.Value {
	return []reflect.Value{reflect.MakeFunc(rt, func(args []reflect.Value) []reflect.Value {
		produce(func(v ...reflect.Value) bool { return holds(args[0], v...) })
		return nil
	})}
}

// each runs an iterator, which calls do with each element.
func each(seq reflect.Value, do func(args []reflect.Value)) {
	yield := reflect.MakeFunc(seq.Type().In(0), func(args []reflect.Value) []reflect.Value {
		do(args)
		return results(true)
	})
	seq.Call([]reflect.Value{yield})
}
