package yaegi

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"sort"

	"github.com/traefik/yaegi/interp"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// The wrappers let compiled code call methods of script types through its
// interfaces. The interpreter fills them: IValue with the value, each W field with
// the method of that name.
type (
	wrapError struct {
		IValue any
		WError func() string
	}
	wrapStringer struct {
		IValue  any
		WString func() string
	}
	wrapSort struct {
		IValue any
		WLen   func() int
		WLess  func(i, j int) bool
		WSwap  func(i, j int)
	}
	wrapHeap struct {
		IValue any
		WLen   func() int
		WLess  func(i, j int) bool
		WSwap  func(i, j int)
		WPush  func(x any)
		WPop   func() any
	}
	wrapReader struct {
		IValue any
		WRead  func(p []byte) (int, error)
	}
	wrapWriter struct {
		IValue any
		WWrite func(p []byte) (int, error)
	}
)

func (w wrapError) Error() string     { return w.WError() }
func (w wrapStringer) String() string { return w.WString() }
func (w wrapSort) Len() int           { return w.WLen() }
func (w wrapSort) Less(i, j int) bool { return w.WLess(i, j) }
func (w wrapSort) Swap(i, j int)      { w.WSwap(i, j) }
func (w wrapHeap) Len() int           { return w.WLen() }
func (w wrapHeap) Less(i, j int) bool { return w.WLess(i, j) }
func (w wrapHeap) Swap(i, j int)      { w.WSwap(i, j) }
func (w wrapHeap) Push(x any)         { w.WPush(x) }
func (w wrapHeap) Pop() any           { return w.WPop() }

// Read gives the script bytes of its own: those of the caller may be the process's, and a script may keep them.
func (w wrapReader) Read(p []byte) (int, error) {
	own := make([]byte, min(len(p), engine.MaxRead))
	n, err := w.WRead(own)
	copy(p, own[:max(0, min(n, len(own)))])
	return n, err
}

// Write gives the script a copy, as Read does.
func (w wrapWriter) Write(p []byte) (int, error) { return w.WWrite(bytes.Clone(p)) }

var (
	_ error          = wrapError{}
	_ fmt.Stringer   = wrapStringer{}
	_ sort.Interface = wrapSort{}
	_ io.Reader      = wrapReader{}
	_ io.Writer      = wrapWriter{}
)

// printable are the interfaces that matter for a value that a host function takes as any.
var printable = []reflect.Type{reflect.TypeFor[error](), reflect.TypeFor[fmt.Stringer]()}

// wrappers are the interfaces of the host that script types can implement.
var wrappers = []struct {
	path, name string
	wrapper    reflect.Value
}{
	{"fmt", "Stringer", reflect.ValueOf((*wrapStringer)(nil))},
	{"sort", "Interface", reflect.ValueOf((*wrapSort)(nil))},
	{"container/heap", "Interface", reflect.ValueOf((*wrapHeap)(nil))},
	{"io", "Reader", reflect.ValueOf((*wrapReader)(nil))},
	{"io", "Writer", reflect.ValueOf((*wrapWriter)(nil))},
}

// addWrappers registers the wrappers where the interpreter looks for them: under
// the path of the interface's package, which a script cannot import.
func addWrappers(ex interp.Exports) {
	for _, w := range wrappers {
		key := w.path + "/x"
		if ex[key] == nil {
			ex[key] = map[string]reflect.Value{}
		}
		ex[key]["_"+w.name] = w.wrapper
	}
}
