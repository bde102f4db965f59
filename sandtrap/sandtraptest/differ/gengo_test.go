package differ

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// A writer makes a random program that compiles and ends, from rules: text in which
// parts between guillemets stand for something of a type.
//
//	«int»             an expression that is no constant
//	«'int»            the same, a short one
//	«=int»            a variable
//	«INT»             an expression of the integer type chosen for this rule, which
//	                  «$INT» spells; so are FLT, CPL and ANY
//	«#i»              a new name, the same for the same letter
//	«do»              statements
//	«do i:int|s:T»    statements in which the new names are variables
//	«loop i:int»      the same in a loop, which «#L» labels
//	«let v:int»       makes the new name a variable of the statements that follow
//	«call»            a call of a function written before
//	«shadow T»        a new variable with the name of another of type T
//	«return»          a return, where the function is known
type writer struct {
	*rand.Rand
	b       strings.Builder
	scopes  [][]variable
	n       int // names given
	fn      int // the function being written: it calls those before it only
	loops   int
	depth   int      // of statements
	labels  []string // of the loops around
	results []string // of the functions written
	result  string   // of the one being written, "" in closures
	bare    bool     // the expression just made may panic, and not in a call
}

type variable struct{ name, typ string }

var (
	intTypes     = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "N", "uintptr"}
	floatTypes   = []string{"float32", "float64", "Fl"}
	complexTypes = []string{"complex64", "complex128"}
	families     = map[string][]string{"INT": intTypes, "FLT": floatTypes, "CPL": complexTypes, "ANY": printed, "OTH": slices.Concat(intTypes, floatTypes), "ORD": slices.Concat(intTypes, floatTypes, []string{"string", "Str"})}
	printed      = slices.Concat(intTypes, floatTypes, complexTypes, []string{
		"string", "Str", "bool", "B", "[]int", "[]string", "[]byte", "[3]int32", "[2][2]int", "map[string]int", "map[K]string",
		"map[string][]int", "S", "[]S", "[2]S", "W", "any", "error", "I", "E[int8]", "P[string, int]", "[]any", "[][]int", "struct{ A int; B string }", "K", "T", "[]T",
		"map[string]S", "map[int8][2]int", "Set[string]", "[]rune",
	})
	// hidden types are not printed: they have addresses in them, or an order of Go's own.
	hidden   = []string{"map[any]int", "*S", "func(int) int", "func() (int, error)", "Seq", "*W", "*[3]int32", "chan int", "Deep", "[]func(int) int", "map[string]*S"}
	allTypes = slices.Concat(printed, hidden)
)

// program writes one.
func program(seed uint64) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.line("package main\n%s", genTypes)
	w.scopes = [][]variable{nil}
	for i, t := range allTypes {
		name := fmt.Sprintf("g%d", i)
		w.line("var %s %s = %s", name, t, w.oneOf(firsts[t]...))
		w.scopes[0] = append(w.scopes[0], variable{name, t})
	}
	for w.fn = range 4 {
		w.function()
	}
	w.line("func main() {")
	for i := range w.results {
		for range 3 {
			w.line("fmt.Println(%s)", w.callOf(i))
		}
	}
	for i, t := range printed {
		verbs := "%v %+v %#v %T"
		if t == "any" || t == "error" || t == "I" { // may hold pointers, which have addresses
			verbs = "%v %+v %T"
		}
		w.line("fmt.Printf(%q%s)", verbs+"\n", strings.Repeat(fmt.Sprintf(", g%d", i), strings.Count(verbs, "%")))
	}
	if w.IntN(3) == 0 {
		w.line("%s", w.fill(w.oneOf(lastRules...), 2))
	}
	w.line("}")
	return w.b.String()
}

func (w *writer) line(f string, a ...any) { fmt.Fprintf(&w.b, f+"\n", a...) }

func (w *writer) oneOf(s ...string) string { return s[w.IntN(len(s))] }

// named is a variable of type t.
func (w *writer) named(t string) string {
	var names []string
	for _, s := range w.scopes {
		for _, v := range s {
			if v.typ == t {
				names = append(names, v.name)
			}
		}
	}
	if len(names) == 0 {
		panic("no variable of type " + t)
	}
	return names[len(names)-1-w.IntN(min(len(names), 4))]
}

func (w *writer) function() {
	t := w.oneOf(printed...)
	w.line("func f%d(p int, q string) (r %s) {", w.fn, t)
	w.line("if steps++; steps > 300 { return }")
	w.scopes = append(w.scopes, []variable{{"p", "int"}, {"q", "string"}, {"r", t}})
	w.line("defer func() { if e := recover(); e != nil { fmt.Println(\"f%d:\", e); if p > 0 { r = %s } } }()", w.fn, w.named(t))
	w.result = t
	w.line("%s", w.block(7, nil))
	w.result = ""
	w.line("return %s", w.expr(t, 2))
	w.line("}")
	w.scopes = w.scopes[:1]
	w.results = append(w.results, t)
}

func (w *writer) callOf(i int) string {
	return fmt.Sprintf("f%d(%s, %s)", i, w.named("int"), w.named("string"))
}

// block is some statements, which see the variables in scope.
func (w *writer) block(n int, scope []variable) string {
	w.scopes = append(w.scopes, scope)
	w.depth++
	var lines []string
	for _, v := range scope {
		lines = append(lines, "_ = "+v.name)
	}
	for range 1 + w.IntN(n) {
		lines = append(lines, w.stmt())
	}
	w.depth--
	w.scopes = w.scopes[:len(w.scopes)-1]
	return strings.Join(lines, "\n")
}

func (w *writer) stmt() string {
	rules := stmtRules
	if w.depth > 3 {
		rules = simpleRules
	}
	deep := 2
	if w.IntN(4) == 0 {
		deep = 3
	}
	return w.fill(w.oneOf(rules...), deep)
}

// expr is an expression of type t that is no constant, at most n deep.
func (w *writer) expr(t string, n int) string {
	rules := exprRules[t]
	for _, family := range []string{"INT", "FLT", "CPL"} {
		if slices.Contains(families[family], t) {
			for _, r := range exprRules[family] {
				rules = append(rules[:len(rules):len(rules)], strings.ReplaceAll(r, family, t))
			}
		}
	}
	w.bare = false
	if n <= 0 || w.IntN(6) == 0 || len(rules) == 0 {
		return w.named(t)
	}
	if w.IntN(12) == 0 {
		return w.fill(strings.ReplaceAll(w.oneOf(anyRules...), "TYPE", t), n)
	}
	if i := slices.Index(w.results, t); i >= 0 && w.loops == 0 && w.IntN(5) == 0 {
		return w.callOf(i)
	}
	return w.fill(w.oneOf(rules...), n)
}

// fill replaces what stands between guillemets in a rule.
func (w *writer) fill(rule string, n int) string {
	for _, family := range slices.Sorted(maps.Keys(families)) {
		if strings.Contains(rule, family) {
			rule = strings.ReplaceAll(rule, family, w.oneOf(families[family]...))
		}
	}
	names := map[string]string{}
	fresh := func(letter string) string {
		if names[letter] == "" {
			w.n++
			names[letter] = fmt.Sprintf("%s%d", letter, w.n)
		}
		return names[letter]
	}
	parts := strings.Split(rule, "«")
	several := panics(rule) || strings.Count(rule, "»") > 1
	bare := panics(rule)
	var out strings.Builder
	out.WriteString(parts[0])
	for _, p := range parts[1:] {
		part, after, _ := strings.Cut(p, "»")
		w.bare = false
		text := w.part(part, n, fresh)
		if t, ok := made(part); ok && w.bare && several {
			text = called(t, text)
		} else if ok {
			bare = bare || w.bare
		}
		out.WriteString(text)
		out.WriteString(after)
	}
	w.bare = bare && !strings.HasPrefix(rule, "func(")
	return out.String()
}

// declared are the variables of a part, with the names made for them.
func declared(vars string, fresh func(string) string) (list []variable) {
	for _, v := range strings.Split(vars, "|") {
		if name, typ, ok := strings.Cut(v, ":"); ok {
			list = append(list, variable{fresh(name), typ})
		}
	}
	return list
}

func (w *writer) part(part string, n int, fresh func(string) string) string {
	word, rest, _ := strings.Cut(part, " ")
	switch {
	case word == "do":
		return w.block(3, declared(rest, fresh))
	case word == "loop":
		label := fresh("L")
		w.labels = append(w.labels, label)
		w.loops++
		text := fmt.Sprintf("if steps++; steps > 2000 { break %s }\n", label)
		text += fmt.Sprintf("if (%s) { %s %s }\n", w.expr("bool", 1), w.oneOf("break", "continue"), label)
		text += w.block(4, declared(rest, fresh))
		if w.IntN(3) == 0 {
			text += fmt.Sprintf("\nif (%s) { %s %s }", w.expr("bool", 2), w.oneOf("break", "continue"), w.labels[w.IntN(len(w.labels))])
		}
		w.loops--
		w.labels = w.labels[:len(w.labels)-1]
		return text
	case word == "closure": // whose statements cannot reach the labels around
		labels, result := w.labels, w.result
		w.labels, w.result = nil, ""
		defer func() { w.labels, w.result = labels, result }()
		return w.block(2, declared(rest, fresh))
	case word == "let":
		vars := declared(rest, fresh)
		top := len(w.scopes) - 1
		w.scopes[top] = append(w.scopes[top], vars...)
		return "_ = " + vars[0].name
	case word == "call":
		if len(w.results) == 0 || w.loops > 0 {
			return "g0++"
		}
		return "fmt.Println(" + w.callOf(w.IntN(len(w.results))) + ")"
	case word == "shadow":
		name := w.named(rest)
		return fmt.Sprintf("%s := %s; _ = %[1]s", name, w.expr(rest, n-1))
	case word == "return" && w.result == "":
		return ";"
	case word == "return":
		return "return " + w.expr(w.result, 1)
	case word == "bit":
		return w.fill(w.oneOf(exprRules["bit"]...), 1)
	case word == "jump":
		if len(w.labels) == 0 {
			return ";"
		}
		return w.oneOf("break ", "continue ") + w.labels[w.IntN(len(w.labels))]
	case part[0] == '#':
		return fresh(part[1:])
	case part[0] == '$':
		return part[1:]
	case part[0] == '=':
		return w.named(part[1:])
	case part[0] == '\'':
		return w.expr(part[1:], 1)
	}
	return w.expr(part, n-1)
}
