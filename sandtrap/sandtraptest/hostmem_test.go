package sandtraptest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Bin and Shelf are embedded in Rack.
type (
	Bin struct {
		Depth int
		Items []string
	}
	Shelf struct {
		Label string
		Tags  map[string]string
	}
	Part struct {
		ID   int
		Name string
		Dims [2]float64
	}
	Grade int
)

func (p Part) Title() string    { return fmt.Sprint(p.Name, "#", p.ID) }
func (p *Part) Rename(s string) { p.Name = s }

// Rack has a field of each sort of type.
type Rack struct {
	hidden int // what comes before the others must not shift them
	Bin
	*Shelf
	Small  int8
	Big    uint64
	Ratio  float32
	Wave   complex128
	On     bool
	Text   string
	List   []int
	Bytes  []byte
	Rows   [][]int
	Parts  []Part
	Refs   []*Part
	Anys   []any
	Errs   []error
	Waits  []time.Duration
	Waves  []complex128
	Grades []Grade
	Empty  []struct{}
	Fixed  [3]int
	Pair   [2]Part
	Grid   [2][2]int
	Counts map[string]int
	ByID   map[int]*Part
	Lists  map[string][]int
	Loose  map[string]any
	Graded map[Grade]Part
	Main   Part
	Next   *Rack
	Num    *int
	Pos    struct{ X, Y int }
	Call   func(int) int
	Err    error
	Any    any
	Wait   time.Duration
	Grade  Grade
	At     time.Time
}

func newRack() *Rack {
	n := 7
	r := &Rack{
		hidden: 1, Bin: Bin{2, []string{"a", "b"}}, Shelf: &Shelf{"top", map[string]string{"k": "v"}},
		Small: 3, Big: 4, Ratio: 0.5, Wave: 1 + 2i, Text: "text",
		List: []int{1, 2, 3}, Bytes: []byte("xyz"), Rows: [][]int{{1}, {2, 3}},
		Parts: []Part{{ID: 1, Name: "one"}, {ID: 2, Name: "two"}}, Refs: []*Part{{ID: 3}, nil},
		Anys: []any{1, "s", nil}, Errs: []error{errors.New("e"), nil}, Waits: []time.Duration{time.Second, 2},
		Waves: []complex128{1i, 2}, Grades: []Grade{3, 1, 2}, Empty: make([]struct{}, 2), Fixed: [3]int{4, 5, 6}, Pair: [2]Part{{ID: 8}},
		Grid: [2][2]int{{1, 2}, {3, 4}}, Counts: map[string]int{"a": 1}, ByID: map[int]*Part{1: {ID: 1}},
		Lists: map[string][]int{"l": {1, 2}}, Loose: map[string]any{"n": 1}, Graded: map[Grade]Part{1: {ID: 1}},
		Main: Part{ID: 9, Name: "main"}, Num: &n, Call: func(n int) int { return n + n }, Err: errors.New("bad"), Any: 3,
		Wait: time.Minute, Grade: 2, At: time.Unix(0, 0).UTC(),
	}
	r.Next = r
	return r
}

// state is the rack as text, without the address of its function.
func (r *Rack) state() string {
	c := *r
	c.Next, c.Call = nil, nil
	c.Shelf, c.Num = nil, nil
	refs := fmt.Sprintf("%+v %v", *r.Shelf, *r.Num)
	for _, p := range r.Refs {
		refs += fmt.Sprintf(" %+v", p)
	}
	for _, k := range slices.Sorted(maps.Keys(r.ByID)) {
		refs += fmt.Sprintf(" %v:%+v", k, r.ByID[k])
	}
	c.Refs, c.ByID = nil, nil
	return fmt.Sprintf("%+v %s", c, refs)
}

// TestHostFields: fields of host structs, in every shape of access, are read and
// written in the host's memory as compiled Go does it.
func TestHostFields(t *testing.T) {
	for _, tc := range []struct {
		src string // sets r
		do  func(f *Rack) any
	}{
		{"r := f.Small; f.Small += 125", func(f *Rack) any { r := f.Small; f.Small += 125; return r }},
		{"f.Big--; f.Big -= 4; r := f.Big", func(f *Rack) any { f.Big--; f.Big -= 4; return f.Big }},
		{"f.Ratio /= 3; r := f.Ratio", func(f *Rack) any { f.Ratio /= 3; return f.Ratio }},
		{"f.Wave *= 2i; r := f.Wave", func(f *Rack) any { f.Wave *= 2i; return f.Wave }},
		{"p := &f.Wave; *p++; r := real(*p)", func(f *Rack) any { p := &f.Wave; *p++; return real(*p) }},
		{"f.On = !f.On; r := f.On", func(f *Rack) any { f.On = !f.On; return f.On }},
		{"f.Text += \"!\"; r := f.Text[4]", func(f *Rack) any { f.Text += "!"; return f.Text[4] }},
		{"p := &f.Text; *p = \"x\" + *p; r := len(f.Text)", func(f *Rack) any { p := &f.Text; *p = "x" + *p; return len(f.Text) }},

		{"f.List[1] += 5; r := f.List[1]", func(f *Rack) any { f.List[1] += 5; return f.List[1] }},
		{"f.List = append(f.List, 4, 5); r := len(f.List)", func(f *Rack) any { f.List = append(f.List, 4, 5); return len(f.List) }},
		{"l := f.List; l[0] = 9; r := f.List[0]", func(f *Rack) any { l := f.List; l[0] = 9; return f.List[0] }},
		{"p := &f.List[1]; *p = 8; r := f.List[1]", func(f *Rack) any { p := &f.List[1]; *p = 8; return f.List[1] }},
		{"p := &f.List; *p = append(*p, 6); (*p)[0]++; r := len(*p)", func(f *Rack) any { p := &f.List; *p = append(*p, 6); (*p)[0]++; return len(*p) }},
		{"f.List = f.List[1:2:2]; f.List = append(f.List, 7); r := cap(f.List) > 1", func(f *Rack) any { f.List = f.List[1:2:2]; f.List = append(f.List, 7); return cap(f.List) > 1 }},
		{"f.List = nil; r := f.List == nil", func(f *Rack) any { f.List = nil; return f.List == nil }},
		{"r := copy(f.List, []int{8, 9})", func(f *Rack) any { return copy(f.List, []int{8, 9}) }},
		{"clear(f.List); r := 0; for i, v := range f.List { r += i + v }", func(f *Rack) any { clear(f.List); return 3 }},
		{"r := 0; for _, f.List[0] = range []int{4, 5} { r += f.List[0] }", func(f *Rack) any {
			r := 0
			for _, f.List[0] = range []int{4, 5} {
				r += f.List[0]
			}
			return r
		}},
		{"f.Bytes[0] = 'X'; r := string(f.Bytes)", func(f *Rack) any { f.Bytes[0] = 'X'; return string(f.Bytes) }},
		{"f.Bytes = append(f.Bytes, \"more\"...); r := len(f.Bytes)", func(f *Rack) any { f.Bytes = append(f.Bytes, "more"...); return len(f.Bytes) }},

		{"f.Rows[1][0] = 8; f.Rows[0] = append(f.Rows[0], 9); r := len(f.Rows[0])", func(f *Rack) any { f.Rows[1][0] = 8; f.Rows[0] = append(f.Rows[0], 9); return len(f.Rows[0]) }},
		{"f.Rows = append(f.Rows, []int{5}, nil); r := f.Rows[2][0]", func(f *Rack) any { f.Rows = append(f.Rows, []int{5}, nil); return f.Rows[2][0] }},
		{"r := 0; for _, row := range f.Rows { for i := range row { row[i]++; r += row[i] } }", func(f *Rack) any {
			r := 0
			for _, row := range f.Rows {
				for i := range row {
					row[i]++
					r += row[i]
				}
			}
			return r
		}},
		{"p := &f.Rows[0]; *p = append(*p, 1); r := len(f.Rows[0])", func(f *Rack) any { p := &f.Rows[0]; *p = append(*p, 1); return len(f.Rows[0]) }},
		{"f.Rows[0], f.Rows[1] = f.Rows[1], f.Rows[0]; r := len(f.Rows[0])", func(f *Rack) any { f.Rows[0], f.Rows[1] = f.Rows[1], f.Rows[0]; return len(f.Rows[0]) }},

		{"f.Parts[0].ID++; f.Parts[1].Name = \"n\"; r := f.Parts[0].Title()", func(f *Rack) any { f.Parts[0].ID++; f.Parts[1].Name = "n"; return f.Parts[0].Title() }},
		{"f.Parts[1].Rename(\"new\"); p := &f.Parts[1]; p.ID = 5; r := p.Title()", func(f *Rack) any { f.Parts[1].Rename("new"); p := &f.Parts[1]; p.ID = 5; return p.Title() }},
		{"p := f.Parts[0]; p.ID = 77; r := f.Parts[0].ID", func(f *Rack) any { p := f.Parts[0]; p.ID = 77; return f.Parts[0].ID*0 + f.Parts[0].ID + p.ID*0 }},
		{"f.Parts[0] = lab.Part{ID: 4, Dims: [2]float64{1, 2}}; f.Parts[0].Dims[1] *= 3; r := f.Parts[0].Dims[1]", func(f *Rack) any {
			f.Parts[0] = Part{ID: 4, Dims: [2]float64{1, 2}}
			f.Parts[0].Dims[1] *= 3
			return f.Parts[0].Dims[1]
		}},
		{"f.Parts = append(f.Parts, lab.Part{ID: 6}); f.Parts = append(f.Parts, f.Parts[0]); f.Parts[3].ID = 0; r := len(f.Parts)", func(f *Rack) any {
			f.Parts = append(f.Parts, Part{ID: 6})
			f.Parts = append(f.Parts, f.Parts[0])
			f.Parts[3].ID = 0
			return len(f.Parts)
		}},
		{"r := \"\"; for i, p := range f.Parts { p.ID = 0; r += p.Title(); f.Parts[i].Name = p.Name + \"!\" }", func(f *Rack) any {
			r := ""
			for i, p := range f.Parts {
				p.ID = 0
				r += p.Title()
				f.Parts[i].Name = p.Name + "!"
			}
			return r
		}},
		{"f.Parts[0], f.Parts[1] = f.Parts[1], f.Parts[0]; r := f.Parts[0].ID", func(f *Rack) any { f.Parts[0], f.Parts[1] = f.Parts[1], f.Parts[0]; return f.Parts[0].ID }},
		{"f.Refs[0].Name = \"ref\"; f.Refs[1] = &f.Parts[0]; f.Refs[1].ID = 50; r := f.Parts[0].ID", func(f *Rack) any {
			f.Refs[0].Name = "ref"
			f.Refs[1] = &f.Parts[0]
			f.Refs[1].ID = 50
			return f.Parts[0].ID
		}},
		{"f.Refs = append(f.Refs, &lab.Part{ID: 1}, f.Refs[0]); r := f.Refs[3] == f.Refs[0]", func(f *Rack) any { f.Refs = append(f.Refs, &Part{ID: 1}, f.Refs[0]); return f.Refs[3] == f.Refs[0] }},
		{"f.Anys[0] = 2.5; f.Anys[2] = []int{1}; f.Anys = append(f.Anys, f.Main); r := f.Anys[1].(string)", func(f *Rack) any {
			f.Anys[0] = 2.5
			f.Anys[2] = []int{1}
			f.Anys = append(f.Anys, f.Main)
			return f.Anys[1].(string)
		}},
		{"f.Errs[1] = f.Errs[0]; f.Errs[0] = nil; r := f.Errs[1].Error()", func(f *Rack) any { f.Errs[1] = f.Errs[0]; f.Errs[0] = nil; return f.Errs[1].Error() }},
		{"f.Waits[0] *= 2; f.Waits = append(f.Waits, 3); r := int(f.Waits[0])", func(f *Rack) any { f.Waits[0] *= 2; f.Waits = append(f.Waits, 3); return int(f.Waits[0]) }},
		{"f.Waves[1] += 1i; f.Waves = append(f.Waves, 3); r := imag(f.Waves[1])", func(f *Rack) any { f.Waves[1] += 1i; f.Waves = append(f.Waves, 3); return imag(f.Waves[1]) }},
		{"p := &f.Grades[0]; *p += 10; f.Grades[2]--; r := int(f.Grades[0])", func(f *Rack) any { p := &f.Grades[0]; *p += 10; f.Grades[2]--; return int(f.Grades[0]) }},
		{"f.Empty = append(f.Empty, struct{}{}); r := len(f.Empty)", func(f *Rack) any { f.Empty = append(f.Empty, struct{}{}); return len(f.Empty) }},

		{"f.Fixed[1]++; r := f.Fixed[1]", func(f *Rack) any { f.Fixed[1]++; return f.Fixed[1] }},
		{"a := f.Fixed; a[0] = 0; r := f.Fixed[0] + a[2]", func(f *Rack) any { a := f.Fixed; a[0] = 0; return f.Fixed[0] + a[2] }},
		{"f.Fixed = [3]int{9, 8, 7}; r := f.Fixed == [3]int{9, 8, 7}", func(f *Rack) any { f.Fixed = [3]int{9, 8, 7}; return f.Fixed == [3]int{9, 8, 7} }},
		{"p := &f.Fixed; p[2] = 1; r := len(p)", func(f *Rack) any { p := &f.Fixed; p[2] = 1; return len(p) }},
		{"p, q := &f.Fixed, &f.Fixed; r := p == q", func(f *Rack) any { p, q := &f.Fixed, &f.Fixed; return p == q }},
		{"r := 0; for i, v := range f.Fixed { f.Fixed[i] = 0; r += v }", func(f *Rack) any {
			r := 0
			for i, v := range f.Fixed {
				f.Fixed[i] = 0
				r += v
			}
			return r
		}},
		{"f.Pair[1] = f.Pair[0]; f.Pair[1].ID++; f.Pair[0].Dims[0] = 4; r := f.Pair[1].ID", func(f *Rack) any { f.Pair[1] = f.Pair[0]; f.Pair[1].ID++; f.Pair[0].Dims[0] = 4; return f.Pair[1].ID }},
		{"f.Grid[1][0] += 5; f.Grid[0] = f.Grid[1]; r := f.Grid[0][0]", func(f *Rack) any { f.Grid[1][0] += 5; f.Grid[0] = f.Grid[1]; return f.Grid[0][0] }},

		{"f.Main.ID += 2; r := f.Main.Title()", func(f *Rack) any { f.Main.ID += 2; return f.Main.Title() }},
		{"m := f.Main; m.ID = 0; f.Main.Rename(\"other\"); r := m.Title() + f.Main.Title()", func(f *Rack) any { m := f.Main; m.ID = 0; f.Main.Rename("other"); return m.Title() + f.Main.Title() }},
		{"p := &f.Main; p.Dims[1] = 2; *p = lab.Part{ID: p.ID + 1}; r := f.Main.ID", func(f *Rack) any { p := &f.Main; p.Dims[1] = 2; *p = Part{ID: p.ID + 1}; return f.Main.ID }},
		{"p := &f.Main.Name; *p += \"+\"; r := f.Main.Name", func(f *Rack) any { p := &f.Main.Name; *p += "+"; return f.Main.Name }},
		{"f.Next.Next.List[0] = 4; r := f.Next.Next == f", func(f *Rack) any { f.Next.Next.List[0] = 4; return f.Next.Next == f }},
		{"*f.Num++; p := f.Num; *p *= 3; r := p == f.Num", func(f *Rack) any { *f.Num++; p := f.Num; *p *= 3; return p == f.Num }},
		{"p := &f.Num; **p = 5; r := *f.Num", func(f *Rack) any { p := &f.Num; **p = 5; return *f.Num }},
		{"f.Pos.X = 4; f.Pos.Y += 2; p := f.Pos; p.X = 0; r := f.Pos.X + p.Y", func(f *Rack) any { f.Pos.X = 4; f.Pos.Y += 2; p := f.Pos; p.X = 0; return f.Pos.X + p.Y }},
		{"f.Pos = struct{ X, Y int }{1, 2}; q := &f.Pos; q.X++; r := f.Pos.X", func(f *Rack) any { f.Pos = struct{ X, Y int }{1, 2}; q := &f.Pos; q.X++; return f.Pos.X }},
		{"r := f.Call(4); f.Call = func(n int) int { return n * 10 }; r += f.Call(1)", func(f *Rack) any {
			r := f.Call(4)
			f.Call = func(n int) int { return n * 10 }
			r += f.Call(1)
			return r
		}},
		{"f.Call = nil; r := f.Call == nil", func(f *Rack) any { f.Call = nil; return f.Call == nil }},
		{"f.Any = f.Err; f.Err = nil; r := f.Any.(error).Error()", func(f *Rack) any { f.Any = f.Err; f.Err = nil; return f.Any.(error).Error() }},
		{"p := &f.Any; *p = \"any\"; r := f.Any.(string)", func(f *Rack) any { p := &f.Any; *p = "any"; return f.Any.(string) }},
		{"f.Wait += f.Wait; f.Grade++; r := f.Wait.String()", func(f *Rack) any { f.Wait += f.Wait; f.Grade++; return f.Wait.String() }},
		{"f.At = f.At.Add(f.Wait); r := f.At.Minute()", func(f *Rack) any { f.At = f.At.Add(f.Wait); return f.At.Minute() }},

		{"f.Depth += 2; f.Items[0] = \"i\"; f.Items = append(f.Items, \"j\"); r := f.Depth", func(f *Rack) any { f.Depth += 2; f.Items[0] = "i"; f.Items = append(f.Items, "j"); return f.Depth }},
		{"f.Bin.Items = f.Bin.Items[1:]; b := f.Bin; b.Depth = 9; r := f.Depth + len(b.Items)", func(f *Rack) any {
			f.Bin.Items = f.Bin.Items[1:]
			b := f.Bin
			b.Depth = 9
			return f.Depth + len(b.Items)
		}},

		{"type P struct { lab.Part; n int }; x := P{f.Main, 1}; x.Dims[0] = 3; x.Rename(\"x\"); f.Main = x.Part; r := x.Title()", func(f *Rack) any { x := f.Main; x.Dims[0] = 3; x.Rename("x"); f.Main = x; return x.Title() }},
		{"l := []lab.Part{{ID: 1}, {ID: 2, Dims: [2]float64{1, 2}}}; l[0].ID = 5; l[1].Dims[0]++; f.Parts = l; f.Parts[0].Name = \"same\"; r := l[0].Name", func(f *Rack) any {
			l := []Part{{ID: 5}, {ID: 2, Dims: [2]float64{2, 2}}}
			f.Parts = l
			f.Parts[0].Name = "same"
			return l[0].Name
		}},
		{"w := make([]time.Duration, 1, 3); f.Waits = w; f.Waits[0] = 8; w = append(w, 9); r := int(w[0])", func(f *Rack) any {
			w := make([]time.Duration, 1, 3)
			f.Waits = w
			f.Waits[0] = 8
			w = append(w, 9)
			return int(w[0])
		}},
		{"type my lab.Part; x := my(f.Main); x.ID = 30; x.Dims[1] = 6; f.Main = lab.Part(x); r := x.Name", func(f *Rack) any { x := f.Main; x.ID = 30; x.Dims[1] = 6; f.Main = x; return x.Name }},
		{"type my lab.Part; p := (*my)(&f.Main); p.ID = 31; p.Name += \"p\"; r := f.Main.Name", func(f *Rack) any { f.Main.ID = 31; f.Main.Name += "p"; return f.Main.Name }},
		{"type my struct { ID int; Name string; Dims [2]float64 }; x := my(f.Main); x.ID++; f.Main = lab.Part(x); r := f.Main.ID", func(f *Rack) any { f.Main.ID++; return f.Main.ID }},
		{"type ints []int; p := (*ints)(&f.List); *p = append(*p, 5); r := len(f.List)", func(f *Rack) any { f.List = append(f.List, 5); return len(f.List) }},
		{"type small int8; p := (*small)(&f.Small); *p += 100; *p += 100; r := int(f.Small)", func(f *Rack) any { f.Small += 100; f.Small += 100; return int(f.Small) }},
		{"f.Counts[\"a\"]++; f.Counts[\"b\"] = 5; r := f.Counts[\"a\"]", func(f *Rack) any { f.Counts["a"]++; f.Counts["b"] = 5; return f.Counts["a"] }},
		{"delete(f.Counts, \"a\"); _, r := f.Counts[\"a\"]", func(f *Rack) any { delete(f.Counts, "a"); _, r := f.Counts["a"]; return r }},
		{"m := f.Counts; m[\"z\"] = 1; r := len(f.Counts)", func(f *Rack) any { m := f.Counts; m["z"] = 1; return len(f.Counts) }},
		{"f.Counts = map[string]int{\"q\": 2}; f.Counts[\"w\"] += 3; r := len(f.Counts)", func(f *Rack) any { f.Counts = map[string]int{"q": 2}; f.Counts["w"] += 3; return len(f.Counts) }},
		{"p := &f.Counts; (*p)[\"p\"] = 1; r := len(*p)", func(f *Rack) any { p := &f.Counts; (*p)["p"] = 1; return len(*p) }},
		{"f.Counts = nil; r := f.Counts[\"a\"]", func(f *Rack) any { f.Counts = nil; return f.Counts["a"] }},
		{"f.ByID[1].Name = \"byid\"; f.ByID[2] = &f.Main; f.ByID[2].ID = 3; r := f.Main.ID", func(f *Rack) any { f.ByID[1].Name = "byid"; f.ByID[2] = &f.Main; f.ByID[2].ID = 3; return f.Main.ID }},
		{"f.Lists[\"l\"][0] = 9; f.Lists[\"m\"] = append(f.Lists[\"m\"], 1); r := len(f.Lists)", func(f *Rack) any { f.Lists["l"][0] = 9; f.Lists["m"] = append(f.Lists["m"], 1); return len(f.Lists) }},
		{"f.Loose[\"l\"] = []string{\"x\"}; f.Loose[\"n\"] = f.Loose[\"n\"].(int) + 1; r := f.Loose[\"n\"].(int)", func(f *Rack) any {
			f.Loose["l"] = []string{"x"}
			f.Loose["n"] = f.Loose["n"].(int) + 1
			return f.Loose["n"].(int)
		}},
		{"p := f.Graded[1]; p.ID = 6; f.Graded[2] = p; r := f.Graded[1].ID", func(f *Rack) any { p := f.Graded[1]; p.ID = 6; f.Graded[2] = p; return f.Graded[1].ID }},
		{"f.Label += \"l\"; f.Tags[\"t\"] = \"u\"; r := f.Shelf.Tags[\"t\"]", func(f *Rack) any { f.Label += "l"; f.Tags["t"] = "u"; return f.Shelf.Tags["t"] }},
		{"f.Shelf = &lab.Shelf{Label: \"s\", Tags: map[string]string{}}; f.Tags[\"z\"] = \"y\"; r := f.Label", func(f *Rack) any {
			f.Shelf = &Shelf{Label: "s", Tags: map[string]string{}}
			f.Tags["z"] = "y"
			return f.Label
		}},
		{"type R struct { *lab.Rack; n int }; x := R{f, 1}; x.List[0] = 6; x.Depth++; x.Counts[\"r\"] = 1; r := x.Small", func(f *Rack) any { f.List[0] = 6; f.Depth++; f.Counts["r"] = 1; return f.Small }},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.SharesMemory {
					return
				}
				want := newRack()
				r := tc.do(want)
				rack := newRack()
				res, err := b.RunOnce(sandtrap.Policy{
					Limits: limits, Std: sandtrap.StdDefault(), Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{
						"Rack": (*Rack)(nil), "Bin": (*Bin)(nil), "Shelf": (*Shelf)(nil), "Part": (*Part)(nil), "Grade": (*Grade)(nil), "Open": func() *Rack { return rack },
					}}},
				}, "import \"corp/lab\"\nf := lab.Open()\n"+tc.src)
				if err != nil {
					b.Fatal(err)
				}
				if got := res.Vars["r"]; fmt.Sprint(got) != fmt.Sprint(r) {
					b.Errorf("r = %v, want %v", got, r)
				}
				if got, want := rack.state(), want.state(); got != want {
					i := 0
					for i < min(len(got), len(want)) && got[i] == want[i] {
						i++
					}
					from := max(0, i-40)
					b.Errorf("the rack has\n%.80q, want\n%.80q", got[from:], want[from:])
				}
			})
		})
	}
}

// TestHostFieldsHidden: no way of writing a host struct reaches a field that the
// policy does not show.
func TestHostFieldsHidden(t *testing.T) {
	eachMode(t, func(b bench) {
		rack := newRack()
		for _, src := range []string{
			"x := lab.Rack{Small: 3, Text: \"t\"}\nr := int(x.Small)",
			"x := &lab.Rack{Small: 3}\nr := int(x.Small)",
			"type my lab.Rack\nvar x my\nx.Small = 3\nr := int(x.Small)",
			"type my lab.Rack\nx := my{Small: 3}\nr := int(x.Small)",
		} {
			res, err := b.RunOnce(sandtrap.Policy{
				Limits: limits, Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{"Rack": (*Rack)(nil), "Open": func() *Rack { return rack }}}},
			}, "import \"corp/lab\"\n"+src)
			if b.RefusedByEngine(res) {
				continue
			}
			if err != nil || res.Vars["r"] != 3 {
				b.Errorf("%s: got %v, %v", strings.ReplaceAll(src, "\n", "; "), res.Vars["r"], err)
			}
		}
	})
}
