package carry

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// An error crosses with its text, those that it wraps, and a number. Who gets it has an error in its place that
// says and wraps the same; given back, it is the one that it was, with its type and its fields. So an error has
// its identity in both processes, whichever made it.

// An errorNode is what crosses of an error.
type errorNode struct {
	err   error
	known int           // the number of one that both sides know, or -1
	value reflect.Value // of a type that both sides have
	shape uint64
	name  string // of its type, as it is printed
	text  string
	is    []uint64 // known errors that it says it is
	says  uint64   // of its methods Timeout and Temporary
	below []*errorNode
}

// Shapes of errors.
const (
	shapeText   = iota // of errors.New
	shapeJoined        // of errors.Join
	shapeOne           // with a method Unwrap that returns one
	shapeMany          // or a list
	shapeLeaf          // it wraps none
	shapeFlat          // what it wraps is too much: only what matters of that is told
	shapes
)

// A treeRoom is how much more is told of what lies in an error.
type treeRoom struct{ errors, text int }

const (
	maxTree     = 64       // errors
	maxTreeText = 64 << 10 // bytes of the texts of those that others wrap
)

// take takes what an error within another needs.
func (t *treeRoom) take(text string) bool {
	t.text += len(text)
	return t.text <= maxTreeText
}

// describe asks err what it is, which may call methods of the script. It reports false for one that there is no
// room for.
func (w *writer) describe(err error, left *treeRoom) (n *errorNode, fits bool) {
	n = &errorNode{err: err, known: w.errors.number(err)}
	first := left.errors == maxTree
	if left.errors--; n.known >= 0 || left.errors < 0 {
		return n, n.known >= 0
	}
	if v, ok := w.objectIn(err); ok {
		n.name = v.Type().String()                         // whoever could tell the script's name for it may not be asked after the run
		if n.value = v; !isTyped(v.Type()) && w.isHost() { // the other side has the value, without its methods
			n.text = w.says(err)
			return n, w.describeBelow(n, left)
		}
		return n, true
	}
	n.name, n.text = w.errors.typeNameOf(err), w.says(err)
	if !first && !left.take(n.text) {
		return n, false
	}
	if own, ok := err.(interface{ Is(error) bool }); ok {
		n.is = w.numbersOf(own.Is)
	}
	n.says = saysOf(err)
	n.shape = shapeOf(err)
	if !w.describeBelow(n, left) {
		w.flatten(n)
	}
	return n, true
}

// describeBelow describes what n wraps.
func (w *writer) describeBelow(n *errorNode, left *treeRoom) bool {
	for _, e := range unwrapped(n.err) {
		if e == nil {
			n.below = append(n.below, nil)
			continue
		}
		below, fits := w.describe(e, left)
		if !fits {
			return false
		}
		n.below = append(n.below, below)
	}
	return true
}

// flatten has n tell of the known errors in it, and of those that are of types that both sides have.
func (w *writer) flatten(n *errorNode) {
	n.shape, n.below = shapeFlat, nil
	n.is = w.numbersOf(func(known error) bool { return errors.Is(n.err, known) })
	n.is = n.is[:min(len(n.is), maxMarks)]
	for _, e := range w.wrapped(n.err, nil) {
		v, _ := w.objectIn(e)
		n.below = append(n.below, &errorNode{err: e, known: -1, value: v, name: w.errors.typeNameOf(e), text: w.textOf(e, v)})
	}
}

// textOf is what e says, where the other side cannot ask it.
func (w *writer) textOf(e error, v reflect.Value) string {
	if isTyped(v.Type()) || !w.isHost() {
		return ""
	}
	return w.says(e)
}

// says is the text of err. An error may panic when it is asked for it, as one that is a nil pointer does: whoever
// passes it on has not asked.
func (w *writer) says(err error) (text string) {
	if w.handles.objects() != nil {
		defer func() {
			if recover() != nil {
				text = fmt.Sprint(err) // which tells of the panic
			}
		}()
	}
	return err.Error()
}

// unwrapped are the errors that err wraps: none where asking that panics.
func unwrapped(err error) (list []error) {
	defer func() { _ = recover() }()
	return engine.Unwrapped(err)
}

// isHost reports that values of the host's types are here made up of all their fields.
func (w *writer) isHost() bool { return w.handles.objects() != nil && w.handles.Objects.here }

// numbersOf are the numbers of the known errors that are some.
func (w *writer) numbersOf(is func(known error) bool) (list []uint64) {
	for n := uint64(0); ; n++ {
		known := w.errors.at(n)
		if known == nil {
			return list
		}
		if answers(func() bool { return is(known) }) {
			list = append(list, n)
		}
	}
}

// answers is what a method says; one that panics says no: whoever passes its error on has not asked.
func answers(is func() bool) (yes bool) {
	defer func() { _ = recover() }()
	return is()
}

// shapeOf is the shape of an error that is told of with all that it wraps.
func shapeOf(err error) uint64 {
	switch reflect.TypeOf(err) {
	case textType:
		return shapeText
	case joinedType:
		return shapeJoined
	}
	switch err.(type) {
	case interface{ Unwrap() error }:
		return shapeOne
	case interface{ Unwrap() []error }:
		return shapeMany
	}
	return shapeLeaf
}

var (
	textType   = reflect.TypeOf(errors.New(""))
	joinedType = reflect.TypeOf(errors.Join(errors.New("")))
)

// typeNameOf is the name of the type of v as the side that has it prints that.
func (e *Errors) typeNameOf(v any) string {
	if own := script.ViewOf(v); own != nil {
		return own.TypeName()
	}
	if far, ok := v.(named); ok {
		return far.GoName()
	}
	if e == nil || e.TypeName == nil {
		return reflect.TypeOf(v).String()
	}
	return e.TypeName(reflect.TypeOf(v))
}

type named interface{ GoName() string }

// node writes n: the number of a known error, or its parts.
func (w *writer) node(n *errorNode, path string) error {
	if n == nil {
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	}
	if n.known >= 0 {
		w.b = head(w.b, majorUint, uint64(n.known))
		return nil
	}
	if w.depth++; w.depth > maxDepth { // as the reader counts
		return &KindError{path, n.name, "is nested too deep, or holds itself"}
	}
	number, start := uint64(0), len(w.b)
	defer func() { w.depth--; w.errors.weigh(number, len(w.b)-start) }()
	if n.value.IsValid() {
		if isTyped(n.value.Type()) {
			number = w.errors.numberHeld(n.err, 0)
		}
		w.b = head(head(w.b, majorArray, 4), majorUint, number)
		w.text(n.text)
		if err := w.list(n.below, path); err != nil {
			return err
		}
		return w.plainly(n.value, path)
	}
	number = w.errors.numberHeld(n.err, len(n.text))
	w.b = head(head(head(head(w.b, majorArray, 7), majorUint, number), majorUint, n.shape), majorUint, n.says)
	w.text(n.name)
	w.text(n.text)
	w.b = head(w.b, majorArray, uint64(len(n.is)))
	for _, known := range n.is {
		w.b = head(w.b, majorUint, known)
	}
	err := w.list(n.below, path)
	w.nodes = append(w.nodes, n.err)
	return err
}

// list writes a list of them.
func (w *writer) list(list []*errorNode, path string) error {
	w.b = head(w.b, majorArray, uint64(len(list)))
	for _, n := range list {
		if err := w.node(n, path); err != nil {
			return err
		}
	}
	return nil
}
