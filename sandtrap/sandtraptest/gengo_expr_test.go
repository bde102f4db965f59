package sandtraptest

import (
	"fmt"
	"slices"
	"strings"
)

// expr is an expression of type t that is no constant, at most n deep.
func (w *writer) expr(t string, n int) string {
	if n == 0 || w.IntN(6) == 0 {
		return w.named(t)
	}
	if w.IntN(12) == 0 {
		return fmt.Sprintf("pick[%s](%s, %s, %s)", t, w.expr("bool", n-1), w.expr(t, n-1), w.expr(t, n-1))
	}
	// What has an effect is an expression of its own: Go leaves open when the
	// variables beside it are read.
	if n == 3 && w.loops == 0 && w.IntN(5) == 0 {
		if i := slices.Index(w.results, t); i >= 0 {
			return w.callOf(i)
		}
	}
	if n == 3 && w.IntN(5) == 0 && !strings.HasPrefix(t, "func") {
		return fmt.Sprintf("func() %s { %s; return %s }()", t, w.assign(), w.expr(t, n-1))
	}
	switch {
	case slices.Contains(intTypes, t):
		return w.integer(t, n)
	case slices.Contains(floatTypes, t):
		return w.float(t, n)
	}
	return w.other(t, n)
}

func (w *writer) integer(t string, n int) string {
	x := w.expr(t, n-1)
	switch w.IntN(11) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, w.oneOf("+", "-", "*", "&", "|", "^", "&^"), w.expr(t, n-1))
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, w.oneOf("/", "%"), w.oneOf("3", "7", "1", "5", "("+w.expr(t, n-1)+"|1)", w.expr(t, n-1)))
	case 4:
		return fmt.Sprintf("(%s %s %s)", x, w.oneOf("<<", ">>"), w.oneOf("3", "1", "9", "70", "("+w.expr("uint8", 1)+"%20)", w.named("int16")))
	case 5:
		return w.oneOf("-", "^") + "(" + x + ")"
	case 6, 7:
		u := w.oneOf(intTypes...)
		return fmt.Sprintf("%s(%s)", t, w.expr(u, n-1))
	case 8:
		u := w.oneOf("string", "[]int", "map[string]int")
		return fmt.Sprintf("%s(len(%s))", t, w.expr(u, n-1))
	case 9:
		return fmt.Sprintf("%s(%s, %s)", w.oneOf("min", "max"), x, w.expr(t, n-1))
	}
	switch t {
	case "int":
		return w.oneOf(w.named("[]int")+"["+w.index()+"]", w.named("map[string]int")+"["+w.expr("string", 1)+"]",
			w.named("I")+".Get("+w.expr("int", 1)+")", w.named("func(int) int")+"("+w.expr("int", 1)+")", w.named("S")+".X")
	case "int8":
		return w.oneOf(w.named("S"), w.named("*S"), w.named("[]S")+"["+w.index()+"]") + ".A"
	case "int32":
		return w.named("[3]int32") + "[" + w.index() + "]"
	case "uint8":
		return w.named("string") + "[" + w.index() + "]"
	}
	return x
}

func (w *writer) float(t string, n int) string {
	x := w.expr(t, n-1)
	switch w.IntN(5) {
	case 0, 1:
		return fmt.Sprintf("%s(%s %s %s)", t, x, w.oneOf("+", "-", "*", "/"), w.expr(t, n-1))
	case 2:
		return fmt.Sprintf("%s(%s)", t, w.expr(w.oneOf(intTypes...), n-1))
	case 3:
		return fmt.Sprintf("%s(%s)", t, w.expr(w.oneOf(floatTypes...), n-1))
	}
	return "-(" + x + ")"
}

func (w *writer) other(t string, n int) string {
	x := w.expr(t, n-1)
	switch t {
	case "string":
		return w.oneOf("("+x+" + "+w.expr(t, n-1)+")", x+"[min(1, len("+w.named(t)+")):]", "string(rune("+w.expr("uint16", 1)+"%900))",
			"fmt.Sprint("+w.expr(w.oneOf("int8", "S", "any", "float64", "[]S", "E[int8]"), n-1)+")", w.named("S")+".Name()", "string([]byte("+x+"))")
	case "bool":
		u := w.oneOf("int", "int8", "uint64", "string", "float64", "uint16")
		return w.oneOf(fmt.Sprintf("(%s %s %s)", w.expr(u, n-1), w.oneOf("<", "<=", ">", ">=", "==", "!="), w.expr(u, n-1)),
			"!"+x, "("+x+" && "+w.expr(t, n-1)+")", "("+x+" || "+w.expr(t, n-1)+")",
			"("+w.named("[3]int32")+" == "+w.expr("[3]int32", 1)+")", "("+w.named("I")+" == I("+w.expr("I", 1)+"))", "("+w.named("any")+" == "+w.expr("any", 1)+")")
	case "[]int":
		return w.oneOf("append("+w.named(t)+"[:0:0], "+w.expr("int", n-1)+", "+w.expr("int", n-1)+")", w.named(t)+"["+w.index()+":]",
			"append("+w.named(t)+", "+w.expr("int", 1)+")", "[]int{"+w.expr("int", 1)+", 5}", w.named("S")+".C", w.named(t)+"[:"+w.index()+"]")
	case "[3]int32":
		return w.oneOf("[3]int32{"+w.expr("int32", 1)+", 2: "+w.expr("int32", 1)+"}", x, "[3]int32("+"[]int32{"+w.named("int32")+", 2, 3})")
	case "S":
		return w.oneOf("S{A: "+w.expr("int8", 1)+", C: "+w.expr("[]int", 1)+"}", "*"+w.named("*S"), w.named("[]S")+"["+w.index()+"]", "S{"+w.named("int8")+", \"u\", nil, [2]uint16{1}, "+w.named("float64")+", E1{"+w.named("int")+"}}")
	case "*S":
		return w.oneOf("&S{A: "+w.expr("int8", 1)+"}", "&"+w.named("S"), "&"+w.named("[]S")+"["+w.index()+"]")
	case "I":
		return w.oneOf(w.expr("S", n-1), "N("+w.expr("int16", n-1)+")", "func() I { i, _ := "+w.named("any")+".(I); return pick[I](i == nil, N(1), i) }()")
	case "any":
		return "any(" + w.expr(w.oneOf("S", "int", "string", "[]int", "uint8", "bool", "[3]int32", "I", "E[int8]", "float32"), n-1) + ")"
	case "E[int8]":
		return "E[int8]{V: " + w.expr("int8", n-1) + "}"
	case "func(int) int":
		return w.oneOf("func(x int) int { return x * "+w.named("int")+" }", w.named("S")+".Get", "N("+w.named("int16")+").Get")
	case "map[string]int":
		return w.oneOf("map[string]int{"+w.expr("string", 1)+": "+w.expr("int", 1)+"}", x)
	case "[]S":
		return w.oneOf("[]S{"+w.expr("S", 1)+"}", "append("+w.named(t)+", "+w.expr("S", 1)+")", x)
	}
	return x
}
