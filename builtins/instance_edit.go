package builtins

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// slicesEdit has the functions that make a slice out of slices.
func slicesEdit(name string) instance {
	edit := slicesEdits(name)
	if edit == nil {
		return nil
	}
	return func(e *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
		if out := edit(e, ft, a); out.IsValid() {
			return []reflect.Value{out}
		}
		return nil
	}
}

func slicesEdits(name string) func(*Env, reflect.Type, []reflect.Value) reflect.Value {
	switch name {
	case "Reverse":
		return sliceReverse
	case "Clip":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			return a[0].Slice3(0, a[0].Len(), a[0].Len())
		}
	case "Clone":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) reflect.Value {
			if a[0].IsNil() {
				return a[0]
			}
			return concat(reflect.MakeSlice(ft.Out(0), 0, a[0].Len()), a[0])
		}
	case "Concat":
		return sliceConcat
	case "Repeat":
		return sliceRepeat
	case "Grow":
		return sliceGrow
	case "Insert":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			return splice(a[0], int(a[1].Int()), int(a[1].Int()), a[2])
		}
	case "Delete":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			return deleteRange(a[0], int(a[1].Int()), int(a[2].Int()))
		}
	case "Replace":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			return splice(a[0], int(a[1].Int()), int(a[2].Int()), a[3])
		}
	case "DeleteFunc":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			return filter(a[0], func(kept, v reflect.Value) bool { return !holds(a[1], v) })
		}
	case "Compact", "CompactFunc":
		return func(e *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
			same := equality(e, name, a)
			return filter(a[0], func(kept, v reflect.Value) bool {
				return kept.Len() == 0 || !same(kept.Index(kept.Len()-1), v)
			})
		}
	}
	return nil
}

func sliceReverse(e *Env, _ reflect.Type, a []reflect.Value) reflect.Value {
	swap := reflect.Swapper(a[0].Interface())
	for i, j := 0, a[0].Len()-1; i < j; i, j = i+1, j-1 {
		e.Stepped(1)
		swap(i, j)
	}
	return reflect.Value{}
}

func sliceConcat(e *Env, ft reflect.Type, a []reflect.Value) reflect.Value {
	n := 0
	for i := range a[0].Len() {
		n += a[0].Index(i).Len()
	}
	e.ChargeProduct(int64(n), int64(ft.Out(0).Elem().Size()))
	if n == 0 {
		return reflect.Zero(ft.Out(0))
	}
	out := reflect.MakeSlice(ft.Out(0), 0, n)
	for i := range a[0].Len() {
		out = concat(out, a[0].Index(i))
	}
	return out
}

func sliceRepeat(e *Env, ft reflect.Type, a []reflect.Value) reflect.Value {
	n, size := a[1].Int(), int64(a[0].Len())
	if n < 0 {
		panic("cannot be negative")
	}
	if size > 0 && n > shim.Huge/size {
		e.Charge(shim.Huge)
		panic("the result of (len(x) * count) overflows")
	}
	e.ChargeProduct(n*size, int64(ft.Out(0).Elem().Size()))
	out := reflect.MakeSlice(ft.Out(0), 0, int(n*size))
	for size > 0 && out.Len() < int(n*size) {
		out = concat(out, a[0])
	}
	return out
}

func sliceGrow(e *Env, ft reflect.Type, a []reflect.Value) reflect.Value {
	n := a[1].Int()
	if n < 0 {
		panic("cannot be negative")
	}
	if n <= int64(a[0].Cap()-a[0].Len()) {
		return a[0]
	}
	e.ChargeProduct(n+int64(a[0].Len()), int64(ft.Out(0).Elem().Size()))
	s := copyOf(a[0])
	s.Grow(int(n))
	return s
}

// concat is append(s, t...) for slices whose types may differ in name.
func concat(s, t reflect.Value) reflect.Value {
	if t.Type() != s.Type() {
		t = t.Convert(s.Type())
	}
	return reflect.AppendSlice(s, t)
}

// splice puts v in the place of s[i:j].
func splice(s reflect.Value, i, j int, v reflect.Value) reflect.Value {
	tail := s.Slice(j, s.Len()) // panics as Go does
	_ = s.Slice(i, j)
	if v.Len() <= j-i {
		n := i + reflect.Copy(s.Slice(i, j), v)
		return deleteRange(s, n, j)
	}
	out := reflect.MakeSlice(s.Type(), 0, s.Len()+v.Len()-(j-i))
	return concat(concat(concat(out, s.Slice(0, i)), v), tail)
}

// deleteRange takes s[i:j] out in place and clears what is left over.
func deleteRange(s reflect.Value, i, j int) reflect.Value {
	_ = s.Slice3(i, j, s.Len()) // panics as Go does
	n := i + reflect.Copy(s.Slice(i, s.Len()), s.Slice(j, s.Len()))
	return clearFrom(s, n)
}

// filter keeps, in place, the elements that keep wants.
func filter(s reflect.Value, keep func(kept, v reflect.Value) bool) reflect.Value {
	n := 0
	for i := range s.Len() {
		if v := s.Index(i); keep(s.Slice(0, n), v) {
			if n != i {
				s.Index(n).Set(v)
			}
			n++
		}
	}
	return clearFrom(s, n)
}

func clearFrom(s reflect.Value, n int) reflect.Value {
	for i := n; i < s.Len(); i++ {
		s.Index(i).SetZero()
	}
	return s.Slice(0, n)
}

// slicesIterate has the functions that make iterators or read them.
func slicesIterate(name string) instance {
	switch name {
	case "All", "Values", "Backward":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			return sliceSequence(name, ft.Out(0), a[0])
		}
	case "Collect":
		return func(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
			return []reflect.Value{collect(reflect.Zero(ft.Out(0)), a[0])}
		}
	case "AppendSeq":
		return func(_ *Env, _ reflect.Type, a []reflect.Value) []reflect.Value {
			return []reflect.Value{collect(a[0], a[1])}
		}
	case "Chunk":
		return sliceChunk
	}
	return nil
}

// collect appends what an iterator yields.
func collect(s, seq reflect.Value) reflect.Value {
	each(seq, func(v []reflect.Value) { s = reflect.Append(s, v[0]) })
	return s
}

func sliceSequence(name string, rt reflect.Type, s reflect.Value) []reflect.Value {
	return sequence(rt, func(yield func(...reflect.Value) bool) {
		n := s.Len()
		for i := range n {
			if name == "Backward" {
				i = n - 1 - i
			}
			v := []reflect.Value{reflect.ValueOf(i), s.Index(i)}
			if name == "Values" {
				v = v[1:]
			}
			if !yield(v...) {
				return
			}
		}
	})
}

func sliceChunk(_ *Env, ft reflect.Type, a []reflect.Value) []reflect.Value {
	n := int(a[1].Int())
	if n < 1 {
		panic("cannot be less than 1")
	}
	return sequence(ft.Out(0), func(yield func(...reflect.Value) bool) {
		for i := 0; i < a[0].Len(); {
			end := min(n, a[0].Len()-i) + i
			if !yield(a[0].Slice3(i, end, end)) {
				return
			}
			i = end
		}
	})
}
