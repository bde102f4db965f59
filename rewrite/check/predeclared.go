package check

import (
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// A universeRow says what one of Go's predeclared names is to a script.
type universeRow struct {
	why string
}

// universeNames has a row for each name of types.Universe; a test finds names
// that a new release adds. All of them are Go's own and reach nothing outside the script:
// print and println write to the script's stderr. A script may shadow every one;
// the gates are reached by names it cannot write, so nothing of them changes.
var universeNames = map[string]universeRow{
	"any":        {"a type"},
	"bool":       {"a type"},
	"byte":       {"a type"},
	"comparable": {"a constraint"},
	"complex128": {"a type"},
	"complex64":  {"a type"},
	"error":      {"a type; its method Error is the script's or the host's own"},
	"float32":    {"a type"},
	"float64":    {"a type"},
	"int":        {"a type"},
	"int16":      {"a type"},
	"int32":      {"a type"},
	"int64":      {"a type"},
	"int8":       {"a type"},
	"rune":       {"a type"},
	"string":     {"a type"},
	"uint":       {"a type"},
	"uint16":     {"a type"},
	"uint32":     {"a type"},
	"uint64":     {"a type"},
	"uint8":      {"a type"},
	"uintptr":    {"a type; without unsafe it is a number like another"},
	"false":      {"a constant"},
	"true":       {"a constant"},
	"iota":       {"a constant"},
	"nil":        {"a value"},
	"append":     {"allocates, which engines charge"},
	"cap":        {"reads"},
	"clear":      {"writes to the script's own values"},
	"close":      {"acts on the script's channels, which engines run"},
	"complex":    {"computes"},
	"copy":       {"writes to the script's own values"},
	"delete":     {"writes to the script's own values"},
	"imag":       {"computes"},
	"len":        {"reads"},
	"make":       {"allocates, which engines charge"},
	"max":        {"computes"},
	"min":        {"computes"},
	"new":        {"allocates, which engines charge"},
	"panic":      {"unwinds the script, not the host"},
	"print":      {"writes to the script's stderr, which is counted"},
	"println":    {"writes to the script's stderr, which is counted"},
	"real":       {"computes"},
	"recover":    {"goes through the Recover gate, which a stop passes by"},
}

// unknownPredeclared refuses uses of predeclared names that have no row: those
// of a Go release newer than the table.
func (c *checker) unknownPredeclared() diag.Rejections {
	var rs diag.Rejections
	for id, obj := range c.result.Info.Uses {
		if obj.Pkg() != nil {
			continue // what is predeclared is in no package
		}
		if _, ok := universeNames[id.Name]; !ok && types.Universe.Lookup(id.Name) == obj {
			rs = append(rs, c.reject(diag.BadNode, id, id.Name, "predeclared name "+id.Name+" is not known here yet", "do without it"))
		}
	}
	return rs
}
