package check

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// A methodHabit is what other languages have as methods of lists, maps and strings, and Go as functions or operators. In
// the hints %s is the value and %a what the method is given.
type methodHabit struct {
	names string
	of    func(types.Type) bool
	hint  string
	alone string // in place of hint where the method is given nothing
}

// methodHabits are tried in order.
var methodHabits = []methodHabit{
	{names: "map filter forEach reduce find some every flatMap", of: IsSlice, hint: "write a loop: for _, x := range %s { ... }"},
	{names: "join", of: IsSlice, hint: "write strings.Join(%s, %a)", alone: `write strings.Join(%s, "")`},
	{names: "append push push_back add", of: IsSlice, hint: "write %s = append(%s, %a)"},
	{names: "extend concat addAll", of: IsSlice, hint: "write %s = append(%s, %a...)"},
	{names: "pop removeLast", of: IsSlice, hint: "write x := %s[len(%s)-1] and then %s = %s[:len(%s)-1]"},
	{names: "shift popleft removeFirst", of: IsSlice, hint: "write x := %s[0] and then %s = %s[1:]"},
	{names: "slice", of: IsSlice, hint: "write %s[from:to]"},
	{names: "contains includes has", of: IsSlice, hint: "write slices.Contains(%s, %a)"},
	{names: "indexOf index", of: IsSlice, hint: "write slices.Index(%s, %a)"},
	{names: "insert", of: IsSlice, hint: "write %s = slices.Insert(%s, index, value)"},
	{names: "remove removeAt delete", of: IsSlice, hint: "write %s = slices.Delete(%s, i, i+1)"},
	{names: "sort sorted", of: IsSlice, hint: "write slices.Sort(%s), or slices.SortFunc"},
	{names: "reverse reversed", of: IsSlice, hint: "write slices.Reverse(%s)"},
	{names: "copy clone", of: IsSlice, hint: "write slices.Clone(%s)"},
	{names: "first", of: IsSlice, hint: "write %s[0]"},
	{names: "last", of: IsSlice, hint: "write %s[len(%s)-1]"},

	{names: "get", of: isMap, hint: "write v, ok := %s[key]"},
	{names: "contains has containsKey hasOwnProperty", of: isMap, hint: "write _, ok := %s[key]"},
	{names: "put set insert add", of: isMap, hint: "write %s[key] = value"},
	{names: "delete remove pop", of: isMap, hint: "write delete(%s, %a)"},
	{names: "keys values", of: isMap, hint: "write maps.Keys(%s) or maps.Values(%s), or range over it"},
	{names: "items entries iter forEach", of: isMap, hint: "range over it: for key, value := range %s"},
	{names: "update putAll", of: isMap, hint: "write maps.Copy(%s, %a)"},

	{names: "join", of: IsString, hint: "write strings.Join(%a, %s)"},
	{names: "split", of: IsString, hint: "write strings.Split(%s, %a)", alone: "write strings.Fields(%s)"},
	{names: "splitlines lines", of: IsString, hint: `write strings.Split(%s, "\n"), or strings.Lines`},
	{names: "trim strip trimSpace", of: IsString, hint: "write strings.Trim(%s, %a)", alone: "write strings.TrimSpace(%s)"},
	{names: "replace replaceAll", of: IsString, hint: "write strings.ReplaceAll(%s, %a)"},
	{names: "contains includes has", of: IsString, hint: "write strings.Contains(%s, %a)"},
	{names: "startswith startsWith starts_with hasPrefix", of: IsString, hint: "write strings.HasPrefix(%s, %a)"},
	{names: "endswith endsWith ends_with hasSuffix", of: IsString, hint: "write strings.HasSuffix(%s, %a)"},
	{names: "lower toLower toLowerCase", of: IsString, hint: "write strings.ToLower(%s)"},
	{names: "upper toUpper toUpperCase", of: IsString, hint: "write strings.ToUpper(%s)"},
	{names: "indexOf find index", of: IsString, hint: "write strings.Index(%s, %a)"},
	{names: "count", of: IsString, hint: "write strings.Count(%s, %a)", alone: "write len(%s)"},
	{names: "repeat", of: IsString, hint: "write strings.Repeat(%s, %a)"},
	{names: "format", of: IsString, hint: "write fmt.Sprintf with a verb for each value, such as %v"},
	{names: "equals eq isEqual", of: IsString, hint: "write %s == %a"},
	{names: "equalsIgnoreCase", of: IsString, hint: "write strings.EqualFold(%s, %a)"},
	{names: "compareTo", of: IsString, hint: "write strings.Compare(%s, %a)"},
	{names: "substring substr slice", of: IsString, hint: "write %s[from:to]"},
	{names: "charAt at", of: IsString, hint: "write %s[%a], which is a byte"},
	{names: "push append concat push_str", of: IsString, hint: "write %s += %a"},
	{names: "toInt parseInt", of: IsString, hint: "write n, err := strconv.Atoi(%s)"},
	{names: "chars runes", of: IsString, hint: "write []rune(%s), or range over it"},
	{names: "bytes encode", of: IsString, hint: "write []byte(%s)"},

	{names: "len length size count", of: hasLen, hint: "write len(%s)"},
	{names: "isEmpty is_empty empty", of: hasLen, hint: "write len(%s) == 0"},
	{names: "toString toFixed string String", of: isNumeric, hint: "write fmt.Sprint(%s), or strconv.Itoa for an int"},
	{names: "message msg what toString string description", of: isError, hint: "write %s.Error()"},
	{names: "send", of: isChan, hint: "write %s <- %a"},
	{names: "recv receive get", of: isChan, hint: "write v := <-%s"},
	{names: "close", of: isChan, hint: "write close(%s)"},
}

// functionHabits are functions that other packages and languages have, and what Go's
// library has in their place: by package, with the names in small letters.
var functionHabits = map[string][]functionHabit{
	"errors": {
		{"wrap wrapf", `use fmt.Errorf("...: %w", err)`},
		{"errorf newf format", "use fmt.Errorf"},
		{"cause", "use errors.Unwrap, errors.Is or errors.As"},
	},
	"slices": {
		{"map reduce sum foreach group groupby partition zip", "write a loop"},
		{"filter", "write a loop, or use slices.DeleteFunc on a clone"},
		{"remove removeat", "use slices.Delete, or slices.DeleteFunc for a condition"},
		{"includes has", "use slices.Contains"},
		{"find", "use slices.IndexFunc"},
		{"some any", "use slices.ContainsFunc"},
		{"every", "use !slices.ContainsFunc, with the opposite of the condition"},
		{"unique uniq distinct dedup", "use slices.Sort and then slices.Compact"},
		{"flatten flat", "use slices.Concat(lists...)"},
		{"join", `use strings.Join(list, ", ")`},
		{"push append add", "write xs = append(xs, x)"},
		{"length len size count", "write len(xs)"},
		{"copy", "use slices.Clone, or copy(to, from)"},
		{"slice", "write xs[from:to]"},
		{"first", "write xs[0]"},
		{"last", "write xs[len(xs)-1]"},
	},
	"maps": {
		{"contains containskey haskey has exists get", "write v, ok := m[key]"},
		{"merge update", "use maps.Copy(to, from)"},
		{"length len size", "write len(m)"},
		{"delete remove", "write delete(m, key)"},
	},
	"strings": {
		{"includes", "use strings.Contains"},
		{"startswith", "use strings.HasPrefix"},
		{"endswith", "use strings.HasSuffix"},
		{"reverse", "reverse its runes: r := []rune(s); slices.Reverse(r); string(r)"},
		{"format sprintf", "use fmt.Sprintf"},
		{"substring substr slice sub", "write s[from:to]"},
		{"charat at get", "write s[i], which is a byte"},
		{"chars runes", "write []rune(s), or range over it"},
		{"lowercase downcase lower", "did you mean strings.ToLower?"},
		{"uppercase upcase upper", "did you mean strings.ToUpper?"},
		{"length len size", "write len(s)"},
		{"strip", "use strings.TrimSpace"},
		{"trimstart lstrip", `use strings.TrimLeft(s, " ")`},
		{"trimend rstrip", `use strings.TrimRight(s, " ")`},
		{"capitalize capitalise", "write strings.ToUpper(s[:1]) + s[1:]"},
		{"padleft padstart ljust", `use fmt.Sprintf("%10s", s)`},
		{"padright padend rjust", `use fmt.Sprintf("%-10s", s)`},
		{"isempty empty", `write s == ""`},
		{"equals equal", "write a == b"},
		{"concat append", "write a + b"},
		{"remove", `use strings.ReplaceAll(s, x, "")`},
		{"find search indexof", "use strings.Index"},
		{"toint atoi parseint", "use strconv.Atoi"},
	},
	"strconv": {
		{"tostring inttostring intostring", "use strconv.Itoa"},
		{"toint stringtoint parseinteger", "use strconv.Atoi"},
		{"tofloat stringtofloat", "use strconv.ParseFloat(s, 64)"},
	},
	"math": {
		{"clamp", "write min(max(x, low), high)"},
		{"sum average mean avg median", "write a loop"},
		{"random rand", "use rand.Float64 of math/rand/v2"},
		{"infinity", "use math.Inf(1)"},
		{"tofixed", `use fmt.Sprintf("%.2f", x)`},
	},
	"json": {
		{"parse loads", "use json.Unmarshal"},
		{"decode", "use json.Unmarshal, or json.NewDecoder"},
		{"stringify dumps dump", "use json.Marshal"},
		{"encode", "use json.Marshal, or json.NewEncoder"},
	},
	"regexp": {
		{"new", "use regexp.MustCompile"},
		{"replace findall find search", "compile it first: regexp.MustCompile(`...`) has methods for this"},
	},
	"rand": {
		{"randint integer", "use rand.IntN of math/rand/v2"},
		{"choice", "write xs[rand.IntN(len(xs))], with math/rand/v2"},
	},
	"time": {
		{"timestamp", "use time.Now().Unix()"},
		{"currenttime", "use time.Now"},
		{"format", "it is a method: t.Format(time.DateOnly)"},
		{"seconds milliseconds minutes hours", "multiply: 3 * time.Second"},
	},
	"fmt": {{"format", "use fmt.Sprintf"}},
	"os":  {{"readall", "use os.ReadFile, or io.ReadAll"}},
}

// A functionHabit has names of functions that Go's library does not have, and a hint.
type functionHabit struct{ names, hint string }

func functionHint(pkg, name string) string {
	for _, h := range functionHabits[pkg] {
		if containsWord(h.names, strings.ToLower(name)) {
			return h.hint
		}
	}
	return ""
}

func IsSlice(t types.Type) bool { _, ok := t.(*types.Slice); return ok }
func isMap(t types.Type) bool   { _, ok := t.(*types.Map); return ok }
func isChan(t types.Type) bool  { _, ok := t.(*types.Chan); return ok }

func isError(t types.Type) bool {
	i, ok := t.(*types.Interface)
	return ok && types.Identical(i, types.Universe.Lookup("error").Type().Underlying())
}

func hasLen(t types.Type) bool {
	_, array := t.(*types.Array)
	return array || isChan(t) || IsSlice(t) || isMap(t) || IsString(t)
}

// methodHint is what Go has in place of the method or field that sel selects of a t; "" if that is not known.
func (c *checker) methodHint(sel *ast.SelectorExpr, t types.Type) string {
	name := sel.Sel.Name
	folded := strings.ToLower(name[:1]) + name[1:]
	t = t.Underlying()
	var args []string
	call := c.syntax().callOf(sel)
	if call != nil {
		for _, a := range call.Args {
			args = append(args, exprText(a))
		}
	}
	for _, h := range methodHabits {
		if h.of(t) && containsWord(h.names, folded) {
			return h.filled(exprText(sel.X), args)
		}
	}
	m, ok := t.(*types.Map)
	switch {
	case IsString(t):
		return "strings have no methods: package strings has functions for them"
	case ok && call == nil && IsString(m.Key()):
		return "write " + exprText(sel.X) + "[" + strconv.Quote(name) + "]: a key stands in brackets"
	}
	return ""
}

func (h methodHabit) filled(value string, args []string) string {
	hint, given := h.hint, strings.Join(args, ", ")
	if len(args) == 0 {
		given = "value"
		if h.alone != "" {
			hint = h.alone
		}
	}
	return strings.NewReplacer("%s", value, "%a", given).Replace(hint)
}

func containsWord(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}
