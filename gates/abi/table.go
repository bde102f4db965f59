// Package abi is the contract between lowered programs and the gates they
// call: names, signatures and reasons, as data. It imports nothing, so the
// rewriter, the gates and every engine can read the same table.
//
// It may not contain code that runs: it is data.
package abi

import (
	"strconv"
	"strings"
)

// Prefix starts every name that belongs to lowered code. A script may not use
// it, in any position and in any case of letters; what starts with it in a
// lowered program is therefore ours.
const Prefix = "__st"

// The gate package as lowered code imports it: import __st "sandtrap/gate".
const (
	Path = "sandtrap/gate"
	Name = Prefix
)

// Tick, Recover, Echo and Main are the names of the gates in Table that the
// rewriter itself has to know.
const (
	Tick    = "Tick"
	Recover = "Recover"
	Echo    = "Echo"
)

// A Gate is one function that every lowered program may call.
type Gate struct {
	Name      string // as in __st.Name
	Signature string // Go source of its type
	Why       string // what would go wrong without it
}

// Table lists the fixed gates. Bindings, the gates of host members, are made
// for each program and numbered; see Binding.
var Table = []Gate{
	{Tick, "func()", "every loop body, function and closure entry and goto back edge pays one tick here: without it a script could run for ever"},
	{Recover, "func(v any) any", "wraps each recover(): a stop (time, ticks, memory, cancel) goes on unwinding instead of being handed to the script"},
	{Echo, "func(id int, v ...any)", "reports the value of a bare top-level expression of a snippet"},
}

// Binding is the name, inside the gate package, of the binding with the given
// number: __st.B7.
func Binding(n int) string { return "B" + strconv.Itoa(n) }

// Number is the n of Binding(n), for the names that it makes.
func Number(name string) (n int, ok bool) {
	digits, ok := strings.CutPrefix(name, "B")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0 && digits == strconv.Itoa(n)
}

// MirrorPath is the import path of the package that shows a lowered program
// the host types it uses of the package path, under their own names.
func MirrorPath(path string) string { return Path + "/" + path }

// MirrorName is the name under which lowered code imports the n-th mirror.
func MirrorName(n int) string { return Prefix + strconv.Itoa(n) }

// PackageName is the name under which lowered code imports the n-th of the script's
// own packages where it has to name one itself.
func PackageName(n int) string { return Prefix + "_p" + strconv.Itoa(n) }

// Earlier begins the name by which a cell refers to a variable of an earlier one, above the statement that declares one of
// the same name.
const Earlier = Prefix + "_e_"
