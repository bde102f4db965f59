package sandtraptest

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyTypes: what a script does with a type does not depend on how many it has, by
// itself or through package reflect.
func TestManyTypes(t *testing.T) {
	var src strings.Builder
	src.WriteString("package main\nimport (\"encoding/json\"; \"fmt\"; \"reflect\")\nfunc main() {\n")
	for i := range 200 {
		fmt.Fprintf(&src, "{ var a [%d]int8; a[%d] = 7; s := [][%d]int8{a}; f := func(x [%d]int8) int { return len(x) }\n", 1000+i, 1, 1000+i, 1000+i)
		fmt.Fprintf(&src, "var v any = a; w, ok := v.([%d]int8); show(v, s, map[[%d]int8]bool{a: true}, f(w), ok) }\n", 1000+i, 1000+i)
	}
	src.WriteString(`t := reflect.TypeFor[int8]()
	for i := range 520 {
		if t = reflect.SliceOf(t); len(t.String()) != 2*(i+1)+4 { panic(t) }
	}
	if v := reflect.MakeSlice(t, 1, 1); v.Len() != 1 || v.Index(0).Len() != 0 { panic(v) }
}
var seen = map[string]int{}
func show(vs ...any) {
	text := fmt.Sprintf("%.30v|%v|%v|%T", fmt.Sprint(vs[0])[:12], vs[3].(int) >= 1000, vs[4], vs[1])
	b, err := json.Marshal(vs[0])
	fmt.Println(text[:24], string(b[:8]), err, len(fmt.Sprint(vs[1], vs[2])) > 4000)
}
`)
	b := bench{T: t, Mode: modes[len(modes)-1]}
	p := pure()
	p.Limits.Source, p.Limits.Ticks, p.Limits.Memory = 1<<20, 0, 512<<20
	res, err := b.RunOnce(p, src.String())
	lines := strings.Split(strings.TrimSpace(res.Stdout), "\n")
	if err != nil || len(lines) != 200 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for i, line := range lines {
		if want := "[0 7 0 0 0 0|true|true|[ [0,7,0,0 <nil> true"; line != want {
			t.Fatalf("line %d is %q, want %q", i, line, want)
		}
	}
}
