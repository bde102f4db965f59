package sandtraptest

import (
	"fmt"
	"slices"
)

func (w *writer) stmt(depth int) {
	simple := depth > 3
	switch k := w.IntN(22); {
	case k < 5:
		t := w.oneOf(allTypes...)
		w.declare(t, w.expr(t, 3))
	case k < 8 || simple:
		t := w.oneOf(allTypes...)
		w.line("%s = %s", w.named(t), w.expr(t, 3))
	case k < 10:
		t := w.oneOf(intTypes...)
		w.line("%s %s= %s", w.named(t), w.oneOf("+", "-", "*", "&", "|", "^", "&^", "/", "%"), w.expr(t, 2))
	case k == 10:
		t := w.oneOf(intTypes...)
		w.line("fmt.Printf(\"%%d %%x %%v\\n\", %s, %s, %s)", w.expr(t, 2), w.expr("string", 1), w.expr(w.oneOf("S", "any", "[]int", "bool", "float32"), 2))
	case k == 11:
		w.line("if %s {", w.expr("bool", 3))
		w.block(3, depth+1)
		w.line("} else {")
		w.block(2, depth+1)
		w.line("}")
	case k == 12 || k == 13:
		w.loop(depth)
	case k == 14:
		w.choose(depth)
	case k == 15:
		w.line("switch x := %s.(type) { case int: g0 += x; case S: g0 += int(x.A); case fmt.Stringer: fmt.Println(x); case nil: g0--; default: fmt.Printf(\"%%T\\n\", x) }", w.expr("any", 1))
	case k == 16:
		w.line("defer func(a int) { g0 += a; fmt.Println(\"deferred\", a, %s) }(%s)", w.expr("int", 1), w.expr("int", 2))
	case k == 17:
		w.place()
	case k == 18:
		w.line("func() { defer func() { if e := recover(); e != nil { fmt.Println(e); %s } }()", w.assign())
		labels := w.labels
		w.labels = nil // which a closure cannot reach
		w.block(3, depth+1)
		w.labels = labels
		w.line("}()")
	case k == 19:
		w.line("%s, %s = %s, %s", w.named("int"), "g1", w.expr("int", 2), w.expr("int8", 2))
	case k == 20:
		w.n++
		w.line("c%[1]d := make(chan int, 3); go func(k int) { defer close(c%[1]d); for i := range 3 { c%[1]d <- i * k } }(%[2]s); for x := range c%[1]d { g0 ^= x }", w.n, w.named("int"))
	default:
		w.line("%s.Set(%s)", w.oneOf("("+w.named("*S")+")", w.named("S")), w.expr("int", 1))
		w.line("%s.Add(%s)", w.named("E[int8]"), w.expr("int8", 1))
	}
}

func (w *writer) assign() string {
	t := w.oneOf(allTypes...)
	return fmt.Sprintf("%s = %s", w.named(t), w.expr(t, 1))
}

// place stores into a part of a value, which may not be there.
func (w *writer) place() {
	switch w.IntN(7) {
	case 0:
		w.line("%s[%s] = %s", w.named("[]int"), w.index(), w.expr("int", 2))
	case 1:
		w.line("%s[%s] += %s", w.named("[3]int32"), w.index(), w.expr("int32", 2))
	case 2:
		w.line("%s[%s]++", w.named("map[string]int"), w.expr("string", 1))
	case 3:
		w.line("%s.A -= %s", w.oneOf(w.named("S"), w.named("*S")), w.expr("int8", 2))
	case 4:
		w.line("%s.D[%s] ^= %s", w.oneOf(w.named("S"), w.named("*S")), w.index(), w.expr("uint16", 1))
	case 5:
		w.line("%[1]s = append(%[1]s, %[2]s...)", w.named("[]int"), w.expr("[]int", 1))
	default:
		w.line("%[1]s = append(%[1]s, %[2]s)", w.named("[]S"), w.expr("S", 1))
	}
}

func (w *writer) loop(depth int) {
	if w.loops > 1 {
		w.line("%s", w.assign())
		return
	}
	w.n++
	i := fmt.Sprintf("i%d", w.n)
	label := fmt.Sprintf("L%d", w.n)
	head := w.oneOf(
		fmt.Sprintf("for %[1]s := 0; %[1]s < 4; %[1]s++ {", i),
		fmt.Sprintf("for %s := range 3 {", i),
		fmt.Sprintf("for %s := range [3]int{} {", i),
		fmt.Sprintf("for %s := range %q {", i, "aé世"),
		fmt.Sprintf("for %s := range func(yield func(int) bool) { for k := range 3 { if !yield(k) { return } } } {", i))
	w.line("%s:\n%s", label, head)
	w.loops++
	w.labels = append(w.labels, label)
	w.scopes = append(w.scopes, []variable{{i, "int"}})
	w.line("if %s > 90 { %s %s }", i, w.oneOf("break", "continue"), label)
	w.line("if %s { %s %s }", w.expr("bool", 2), w.oneOf("break", "continue"), w.labels[w.IntN(len(w.labels))])
	w.block(4, depth+1)
	w.scopes = w.scopes[:len(w.scopes)-1]
	w.labels = w.labels[:len(w.labels)-1]
	w.loops--
	w.line("}")
}

func (w *writer) choose(depth int) {
	t := w.oneOf("int8", "uint16", "int", "string")
	w.line("switch %s {", w.expr(t, 2))
	values := map[string][]string{"string": {`"a"`, `"b"`, `""`}, "": {"0", "1", "5"}}
	cases := values[t]
	if cases == nil {
		cases = values[""]
	}
	for i, c := range slices.Clone(cases) {
		w.line("case %s:", c)
		w.block(2, depth+1)
		if i < len(cases)-1 && w.IntN(3) == 0 {
			w.line("fallthrough")
		}
	}
	w.line("default:")
	w.block(2, depth+1)
	w.line("}")
}

func (w *writer) index() string {
	if w.IntN(12) == 0 {
		return w.named("int")
	}
	return "uint(" + w.named("int") + ")%2"
}
