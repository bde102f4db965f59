package vm

import (
	"reflect"
	"time"
)

// ctxVal is a context of the script's own.
type ctxVal struct{ plainVal }

func (w *ctxVal) Deadline() (time.Time, bool) {
	r := w.call("Deadline")
	return r[0].Interface().(time.Time), r[1].Bool()
}

func (w *ctxVal) Done() <-chan struct{} {
	done, _ := w.call("Done")[0].Interface().(<-chan struct{})
	return done
}

func (w *ctxVal) Err() error { return errorOf(w.call("Err")[0]) }

func (w *ctxVal) Value(key any) any { return w.call("Value", key)[0].Interface() }

// ScriptText is how package context shows a value that has no String method for the
// host: by its own, or by its type.
func (w *plainVal) ScriptText() string {
	return visiting(w.m, w.scriptText)
}

func (w *plainVal) scriptText() string {
	if id := w.f.T.methods["String"]; id != 0 {
		if fn := w.m.p.funcs[id-1]; fn.params == 1 && len(fn.results.fields) == 1 && fn.results.fields[0].typ.kind == reflect.String {
			return w.m.callString(w.f, "String")
		}
	}
	return w.f.T.str
}

// ScriptComparable says whether the type of the value is one of those that have ==.
func (w *plainVal) ScriptComparable() bool { return uncomparable(w.f.T) == nil }
