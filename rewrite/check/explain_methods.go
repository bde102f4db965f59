package check

import (
	"go/ast"
	"go/types"
	"strings"
)

// methodHabits are what other languages have as methods of lists, maps and strings, and
// Go as functions; %s is the value.
var methodHabits = []struct {
	names string
	of    func(types.Type) bool
	hint  string
}{
	{"map filter forEach reduce find some every", IsSlice, "write a loop: for _, x := range %s { ... }"},
	{"join", IsSlice, `write strings.Join(%s, ", ") for a []string`},
	{"get", isMap, "write v, ok := %s[key]"},
	{"toString toFixed string String", isNumeric, "write fmt.Sprint(%s), or strconv.Itoa for an int"},
	{"append push push_back add", IsSlice, "write %s = append(%s, value)"},
	{"len length size count", hasLen, "write len(%s)"},
	{"contains includes has indexOf index", IsSlice, "write slices.Contains(%s, value), or slices.Index"},
	{"contains has containsKey", isMap, "write _, ok := %s[key]"},
	{"keys values", isMap, "write maps.Keys(%s) or maps.Values(%s), or range over it"},
	{"sort reverse", IsSlice, "package slices has functions for it, such as slices.Sort(%s)"},
	{"split join trim strip replace contains startswith startsWith endswith endsWith lower toLower upper toUpper", IsString, "strings have no methods: package strings has functions for it, such as strings.ToUpper(%s)"},
}

// functionHabits are functions that other packages and languages have, and what Go's
// library has in their place.
var functionHabits = map[string]string{
	"errors.Wrap":        `use fmt.Errorf("...: %w", err)`,
	"errors.Wrapf":       `use fmt.Errorf("...: %w", err)`,
	"errors.Errorf":      "use fmt.Errorf",
	"errors.Cause":       "use errors.Unwrap, errors.Is or errors.As",
	"slices.Map":         "write a loop",
	"slices.Filter":      "write a loop, or use slices.DeleteFunc on a clone",
	"slices.Reduce":      "write a loop",
	"slices.Sum":         "write a loop",
	"strings.Includes":   "use strings.Contains",
	"strings.StartsWith": "use strings.HasPrefix",
	"strings.EndsWith":   "use strings.HasSuffix",
	"strings.Reverse":    "reverse its runes: r := []rune(s); slices.Reverse(r); string(r)",
	"strings.Format":     "use fmt.Sprintf",
	"strings.Substring":  "write s[from:to]",
	"strconv.ToString":   "use strconv.Itoa",
}

func IsSlice(t types.Type) bool { _, ok := t.(*types.Slice); return ok }
func isMap(t types.Type) bool   { _, ok := t.(*types.Map); return ok }

func hasLen(t types.Type) bool {
	switch t.(type) {
	case *types.Array, *types.Chan:
		return true
	}
	return IsSlice(t) || isMap(t) || IsString(t)
}

// methodHabit is what Go has in place of the method name of x, which is a t; "" if that
// is not known.
func methodHabit(x ast.Expr, t types.Type, name string) string {
	name = strings.ToLower(name[:1]) + name[1:]
	for _, h := range methodHabits {
		for n := range strings.FieldsSeq(h.names) {
			if n == name && h.of(t.Underlying()) {
				return strings.ReplaceAll(h.hint, "%s", exprText(x))
			}
		}
	}
	return ""
}
