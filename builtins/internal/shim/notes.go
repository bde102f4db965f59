package shim

import (
	"fmt"
	"io"
)

// Notes are what is kept of what a script prints, as values.
type Notes interface {
	// Room is how many more parts of values are kept; 0 if nobody wants any. Of a text each
	// 64 bytes are one.
	Room() int

	// Add adds one print: its text, and its arguments as they were before, of so many parts.
	Add(text string, values []any, types []string, parts int)
}

// A note is one print on its way. fmt writes its text in one go.
type note struct {
	e      *Env
	to     io.Writer
	values []any
	types  []string
	parts  int
}

// Noting is where a print of args goes to w, so that it is noted.
func (e *Env) Noting(w io.Writer, args []any) io.Writer {
	if e.Notes == nil {
		return w
	}
	room := e.Notes.Room()
	if room == 0 {
		return w
	}
	n := &note{e: e, to: w, values: make([]any, len(args)), types: make([]string, len(args))}
	for i, arg := range args {
		v, parts := e.snapshot(arg, room-n.parts)
		n.values[i], n.types[i] = v, e.ScriptTypeName(arg)
		n.parts += parts + 1
	}
	return n
}

// snapshot is a copy of v, of so many parts; its text if it cannot be copied.
func (e *Env) snapshot(v any, room int) (copy any, parts int) {
	switch v := v.(type) {
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64, complex128:
		return v, 1
	case string:
		return cutTo(v, room)
	}
	if e.Values != nil && room > 0 {
		if copy, parts, ok := e.Values.Snapshot(v, room); ok {
			return copy, parts
		}
	}
	return cutTo(fmt.Sprint(e.Printable([]any{v}, true)...), room)
}

// partBytes is how much text counts as one part.
const partBytes = 64

// cutTo is as much of a text as there is room for.
func cutTo(text string, room int) (cut string, parts int) {
	cut = text[:min(len(text), max(room, 0)*partBytes)]
	return cut, len(cut)/partBytes + 1
}

func (n *note) Write(p []byte) (int, error) {
	n.e.Notes.Add(string(p), n.values, n.types, n.parts)
	return n.to.Write(p)
}
