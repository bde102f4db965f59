package sandtraptest

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Recursive of a host holds others like it in each way that there is, and more than scripts see.
type Recursive struct {
	Name    string
	Next    *Recursive
	Kids    []*Recursive
	By      map[string]*Recursive
	Owner   *Rope
	Numbers map[string][]int
	secret  int
}

func (k *Recursive) Depth() int {
	if k == nil {
		return 0
	}
	return 1 + k.Next.Depth()
}
func (k *Recursive) Tie(next *Recursive) *Recursive { k.Next = next; return k }
func (k *Recursive) Secret() int                    { return k.secret }
func (k *Recursive) Mark() bool                     { k.Name += "+"; return k.Next.Name == "b" }
func (k *Recursive) Marked(o *Recursive) bool       { o.Name = k.Name + o.Name; return o.Name != "ac" }

// A Rope and its placeholders know each other.
type Rope struct {
	First *Recursive
	Label string
}

// A Menu has others by value.
type Menu struct {
	Title string
	Items []Menu
	Named map[string]Menu
}

func (m Menu) Count() (n int) {
	for _, i := range m.Items {
		n += i.Count()
	}
	return n + 1
}

func ringPolicy() sandtrap.Policy {
	p := pure()
	kept := &Recursive{Name: "kept", secret: 7}
	kept.Next = kept
	p.Packages = []sandtrap.Package{{Path: "corp/rings", Members: map[string]any{
		"Recursive": (*Recursive)(nil), "Rope": (*Rope)(nil), "Menu": (*Menu)(nil),
		"Ring": func(names ...string) *Recursive {
			first := &Recursive{Name: names[0], secret: 1}
			at := first
			for _, name := range names[1:] {
				at.Next = &Recursive{Name: name}
				at = at.Next
			}
			at.Next = first
			return first
		},
		"Tree": func() *Recursive {
			a, b := &Recursive{Name: "a"}, &Recursive{Name: "b"}
			return &Recursive{Name: "root", Kids: []*Recursive{a, b}, By: map[string]*Recursive{"a": a, "b": b}, Owner: &Rope{First: a, Label: "r"}}
		},
		"Names": func(list []*Recursive) string {
			names := []string{}
			for _, k := range list {
				names = append(names, k.Name)
			}
			return strings.Join(names, " ")
		},
		"Same": func(a, b *Recursive) bool { return a == b },
		"Walk": func(k *Recursive, visit func(*Recursive) bool) {
			for ; k != nil && visit(k); k = k.Next {
			}
		},
		"Rename": func(k *Recursive) { k.Name += "!"; k.Next.Name += "?" },
		"Append": func(k *Recursive, name string) { k.Kids = append(k.Kids, &Recursive{Name: name}) },
		"Any":    func(k *Recursive) any { return k },
		"List":   func(k *Recursive) []*Recursive { return k.Kids },
		"Menus": func() Menu {
			return Menu{Title: "m", Items: []Menu{{Title: "x"}, {Title: "y", Items: []Menu{{Title: "z"}}}}, Named: map[string]Menu{"n": {Title: "n"}}}
		},
		"Titles": func(m Menu) (s string) {
			for _, i := range m.Items {
				s += i.Title
			}
			return s
		},
	}}}
	return p
}

var encodes = regexp.MustCompile(`\b(json|gob|template|reflect)\.`)

// TestHostRings: types of the host that hold themselves are types like any other.
func TestHostRings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	p := ringPolicy()
	for _, tc := range []struct {
		src  string
		want any // of x
	}{
		{`k := rings.Ring("a", "b", "c"); x := k.Next.Next.Next == k`, true},
		{`k := rings.Ring("a", "b"); x := rings.Same(k.Next.Next, k) && !rings.Same(k.Next, k)`, true},
		{`k := rings.Ring("a"); x := k.Next == k && k.Next.Secret() == 1`, true},
		{`t := rings.Tree(); x := t.Kids[0] == t.By["a"] && t.Owner.First == t.Kids[0] && t.Kids[1] == t.By["b"] && t.By["c"] == nil`, true},
		{`t := rings.Tree(); t.Kids[0].Name = "z"; x := rings.Names(t.Kids) + t.By["a"].Name`, "z bz"},
		{`t := rings.Tree(); t.Kids = append(t.Kids, &rings.Recursive{Name: "c"}); x := rings.Names(t.Kids)`, "a b c"},
		{`t := rings.Tree(); t.Kids[0], t.Kids[1] = t.Kids[1], t.Kids[0]; x := rings.Names(t.Kids)`, "b a"},
		{`t := rings.Tree(); t.By["c"] = t; delete(t.By, "a"); n := 0; for range t.By { n++ }; x := n`, 2},
		{`a, b := &rings.Recursive{Name: "a"}, &rings.Recursive{Name: "b"}; a.Next, b.Next = b, a; rings.Rename(a); x := a.Name + b.Name`, "a!b?"},
		{`a := &rings.Recursive{}; a.Kids = []*rings.Recursive{a, nil}; rings.Append(a, "n"); x := len(a.Kids)*10 + len(rings.List(a.Kids[0]))`, 33},
		{`a := &rings.Recursive{}; x := a.Next == nil && a.Kids == nil && a.By == nil && a.Depth() == 1 && a.Next.Depth() == 0`, true},
		{`a := &rings.Recursive{Next: &rings.Recursive{}}; a.Next = nil; x := a.Depth()`, 1},
		{`a := &rings.Recursive{}; x := a.Tie(&rings.Recursive{Name: "n"}).Next.Name`, "n"},
		{`p := &(&rings.Recursive{Name: "a"}).Next; *p = &rings.Recursive{Name: "b"}; x := (*p).Name`, "b"},
		{`k := rings.Ring("a", "b"); p := &k.Next; *p = nil; x := k.Depth()`, 1},
		{`s := ""; rings.Walk(rings.Ring("a", "b", "c"), func(k *rings.Recursive) bool { s += k.Name; return len(s) < 5 }); x := s`, "abcab"},
		{`k := rings.Ring("a", "b", "c"); rings.Walk(k, (*rings.Recursive).Mark); x := k.Name + k.Next.Name + k.Next.Next.Name`, "a+b+c"},
		{`k := rings.Ring("a", "b", "c"); rings.Walk(k.Next, k.Marked); x := k.Name + k.Next.Name + k.Next.Next.Name`, "aabac"},
		{`var v any = rings.Any(rings.Ring("a")); k, ok := v.(*rings.Recursive); x := ok && k.Next == k`, true},
		{`var v any = rings.Tree().Kids; l, ok := v.([]*rings.Recursive); x := ok && len(l) == 2 && l[1].Name == "b"`, true},
		{`var v any = rings.Tree().Kids[0]; _, ok := v.(*rings.Rope); x := ok`, false},
		{`t := rings.Tree(); m := map[*rings.Recursive]int{t.Kids[0]: 1}; x := m[t.By["a"]]`, 1},
		{`type mine struct { *rings.Recursive; n int }
m := mine{&rings.Recursive{Name: "e"}, 2}; m.Next = m.Recursive; x := m.Next.Name`, "e"},
		{`type list []*rings.Recursive
l := list(rings.Tree().Kids); x := rings.Names(l)`, "a b"},
		{`var l []*rings.Recursive; for k := rings.Ring("a", "b"); len(l) < 3; k = k.Next { l = append(l, k) }; x := rings.Names(l)`, "a b a"},
		{`x := fmt.Sprintf("%T %T %T %T", rings.Tree().Next, rings.Tree().Kids, rings.Tree().By, rings.Menus().Items)`, "*rings.Recursive []*rings.Recursive map[string]*rings.Recursive []rings.Menu"},
		{`x := fmt.Sprintf("%v|%+v", *(&rings.Recursive{Name: "n"}), rings.Recursive{})`, "{n <nil> [] map[] <nil> map[]}|{Name: Next:<nil> Kids:[] By:map[] Owner:<nil> Numbers:map[]}"},
		{`x := fmt.Sprintf("%#v", rings.Rope{Label: "l"})`, `rings.Rope{First:(*rings.Recursive)(nil), Label:"l"}`},
		{`k := rings.Ring("a"); x := fmt.Sprintf("%p", k) == fmt.Sprint(k.Next) && fmt.Sprint(rings.Rope{First: k}) == fmt.Sprintf("{%p }", k)`, false},
		{`k := rings.Ring("a"); x := fmt.Sprint(rings.Rope{First: k}) == fmt.Sprintf("{%p }", k)`, true},
		{`x := fmt.Sprintf("%+v", rings.Menus())`, "{Title:m Items:[{Title:x Items:[] Named:map[]} {Title:y Items:[{Title:z Items:[] Named:map[]}] Named:map[]}] Named:map[n:{Title:n Items:[] Named:map[]}]}"},
		{`x := fmt.Sprintf("%#v", rings.Menu{Items: []rings.Menu{{}}})`, `rings.Menu{Title:"", Items:[]rings.Menu{rings.Menu{Title:"", Items:[]rings.Menu(nil), Named:map[string]rings.Menu(nil)}}, Named:map[string]rings.Menu(nil)}`},
		{`m := rings.Menus(); m.Items[1].Items[0].Title = "q"; m.Items[0] = rings.Menu{Title: "p"}; x := rings.Titles(m) + rings.Titles(m.Items[1])`, "pyq"},
		{`m := rings.Menus(); i := m.Items; i[0].Title = "s"; p := &m.Items[1]; p.Title = "t"; x := rings.Titles(m)`, "st"},
		{`m := rings.Menus(); m.Items = append(m.Items, rings.Menu{Title: "w"}, m); x := m.Count() + len(m.Items[3].Items)`, 11},
		{`m := rings.Menus(); m.Named["o"] = m.Named["n"]; x := len(m.Named)*10 + m.Items[1].Count()`, 22},
		{`b, err := json.Marshal(rings.Menu{Title: "a", Items: []rings.Menu{{Title: "b"}}}); x := string(b) + fmt.Sprint(err)`, `{"Title":"a","Items":[{"Title":"b","Items":null,"Named":null}],"Named":null}<nil>`},
		{`var m rings.Menu; err := json.Unmarshal([]byte("{\"Title\":\"a\",\"Items\":[{\"Title\":\"b\"},{\"Items\":[{}]}],\"Named\":{\"k\":{\"Title\":\"v\"}}}"), &m); x := fmt.Sprint(m.Count(), m.Items[0].Title, m.Named["k"].Title, err)`, "4bv<nil>"},
		{`var r rings.Rope; err := json.Unmarshal([]byte("{\"First\":{\"Name\":\"a\",\"Next\":{\"Name\":\"b\"},\"Kids\":[{\"Name\":\"c\"},null],\"By\":{\"d\":{\"Name\":\"d\"}}}}"), &r); x := fmt.Sprint(r.First.Depth(), rings.Names(r.First.Kids[:1]), r.First.By["d"].Name, r.First.Kids[1] == nil, err)`, "2cdtrue <nil>"},
		{`b, err := json.Marshal(rings.Recursive{Name: "a", Next: &rings.Recursive{Name: "b"}}.Next); x := string(b) + fmt.Sprint(err)`, `{"Name":"b","Next":null,"Kids":null,"By":null,"Owner":null,"Numbers":null}<nil>`},
		{`t := rings.Tree(); v := reflect.ValueOf(t).Elem(); x := v.FieldByName("Kids").Index(0).Interface() == any(t.Kids[0]) && v.Field(1).IsNil() && v.Field(1).Type() == reflect.TypeOf(t)`, true},
		{`t := rings.Tree(); v := reflect.ValueOf(t).Elem(); v.Field(1).Set(reflect.ValueOf(t)); x := t.Next == t && reflect.DeepEqual(rings.Tree().Kids, rings.Tree().Kids)`, true},
		{`x := slices.IndexFunc(rings.Tree().Kids, func(k *rings.Recursive) bool { return k.Name == "b" })`, 1},
		{`t := rings.Tree(); slices.SortFunc(t.Kids, func(a, b *rings.Recursive) int { return strings.Compare(b.Name, a.Name) }); x := rings.Names(t.Kids)`, "b a"},
		{`t := rings.Tree(); sort.Slice(t.Kids, func(i, j int) bool { return t.Kids[i].Name > t.Kids[j].Name }); x := rings.Names(t.Kids)`, "b a"},
		{`t := rings.Tree(); clear(t.By); copy(t.Kids, t.Kids[1:]); x := fmt.Sprint(len(t.By), rings.Names(t.Kids))`, "0b b"},
		{`f := (*rings.Recursive).Depth; k := &rings.Recursive{Next: &rings.Recursive{}}; g := k.Next.Depth; x := f(k)*10 + g()`, 21},
		{`x := func() (s string) { defer func() { s = fmt.Sprint(recover()) }(); var k *rings.Recursive; k = (&rings.Recursive{}).Next; return k.Name }()`, "runtime error: invalid memory address or nil pointer dereference"},
		{`x := rings.Rope{First: nil} == rings.Rope{First: (&rings.Recursive{}).Next}`, true},
		{`x := rings.Recursive{}.secret`, nil},
		{`var b strings.Builder
err := template.Must(template.New("t").Parse("{{.Name}}{{range .Kids}} {{.Name}}{{.Next}}{{end}}{{with .Owner}}{{.First.Name}}{{end}}")).Execute(&b, rings.Tree()); x := fmt.Sprint(b.String(), err)`, "root a<nil> b<nil>a<nil>"},
		{`var b bytes.Buffer; err := gob.NewEncoder(&b).Encode(rings.Menus()); var m rings.Menu; err2 := gob.NewDecoder(&b).Decode(&m); x := fmt.Sprint(m.Count(), rings.Titles(m), err, err2)`, "4xy<nil> <nil>"},
		{`names := []string{}; for i := range 1000 { names = append(names, fmt.Sprint(i)) }; k := rings.Ring(names...); for range 999 { k = k.Next }; x := k.Name`, "999"},
		{`var k *rings.Recursive; for range 1000 { k = &rings.Recursive{Next: k} }; x := k.Depth()`, 1000},
		{`c := make(chan *rings.Recursive, 1); k := rings.Ring("a"); c <- k.Next; x := <-c == k`, true},
		{`func swap[T any](a, b *T) { *a, *b = *b, *a }
k := &rings.Recursive{Name: "k"}; k.Next = &rings.Recursive{Name: "n"}; o := k; swap(&k.Next, &o); x := fmt.Sprint(o.Name, k.Next == k)`, "ntrue"},
		{`k := *rings.Ring("a"); l := k; l.Name = "b"; x := fmt.Sprint(k.Name, l.Next == k.Next, k.Next.Next == k.Next)`, "atrue true"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if b.Engine == "yaegi" && encodes.MatchString(tc.src) {
					b.Skip("this engine encodes no values of the host's types")
				}
				res, err := b.RunOnce(p, "import \"corp/rings\"\n"+tc.src)
				if b.RefusedByEngine(res) {
					return
				}
				if tc.want == nil && !errors.Is(err, sandtrap.ErrRefused) || tc.want != nil && (err != nil || res.Vars["x"] != tc.want) {
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}

// TestHostRingsCross: what holds itself comes out of a run, and goes into one, as what it is.
func TestHostRingsCross(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(ringPolicy())
		script := sandtrap.Script{Text: "import \"corp/rings\"\nk := rings.Ring(\"a\", \"b\")\nm := rings.Menus()\nlist := []*rings.Recursive{k, nil, k.Next}\nvar none *rings.Recursive"}
		res, err := box.Run(b.Context(), script)
		if err != nil {
			b.Fatal(err)
		}
		k, ok := res.Vars["k"].(*Recursive)
		if !ok || k.Name != "a" || k.Next.Next != k || k.secret != 1 {
			b.Errorf("k is %#v", res.Vars["k"])
		}
		if m, ok := res.Vars["m"].(Menu); !ok || len(m.Items) != 2 || m.Items[1].Items[0].Title != "z" || m.Named["n"].Title != "n" {
			b.Errorf("m is %#v", res.Vars["m"])
		}
		res, err = box.Run(b.Context(), sandtrap.Script{Text: "import \"corp/rings\"\na := &rings.Recursive{Name: \"new\"}\na.Next = a\nb, c, d, e, f := a, a.Next, []*rings.Recursive{a}, *a, a"})
		if err != nil || len(res.Warnings) > 0 {
			b.Errorf("what the script has made: %v, %v", res.Warnings, err)
		}
		for _, name := range []string{"a", "b", "c", "f"} {
			if got, ok := res.Vars[name].(*Recursive); !ok || got != res.Vars["a"] || got.Next != got {
				b.Errorf("%s is %#v", name, res.Vars[name])
			}
		}
		res, err = box.Run(b.Context(), script)
		if err != nil {
			b.Fatal(err)
		}
		k = res.Vars["k"].(*Recursive)
		if list, ok := res.Vars["list"].([]*Recursive); !ok || len(list) != 3 || list[1] != nil || list[2].Next != list[0] {
			b.Errorf("list is %#v", res.Vars["list"])
		}
		var into struct {
			Recursive *Recursive
			Menu      Menu
		}
		if err := errors.Join(res.Decode("k", &into.Recursive), res.Decode("m", &into.Menu)); err != nil || into.Recursive.Next.Name != "b" || into.Menu.Items[0].Title != "x" {
			b.Errorf("decoded %+v, %v", into, err)
		}
		given := sandtrap.Script{
			Text:   "import \"corp/rings\"\nx := k.Next.Next == k && rings.Same(k, k.Next.Next)\nk.Next.Name = \"new\"\ny := m.Items[1].Items[0].Title\nz := list[0] == k",
			Inputs: map[string]any{"k": k, "m": into.Menu, "list": []*Recursive{k}},
		}
		res, err = box.Run(b.Context(), given)
		if err != nil || res.Vars["x"] != true || res.Vars["y"] != "z" || res.Vars["z"] != true {
			b.Errorf("given: %v, %v", res.Vars, err)
		}
	})
}

// TestHostRingsKept: a session has it from one step to the next.
func TestHostRingsKept(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi has no sessions")
		}
		s, err := b.Box(ringPolicy()).Session()
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		for i, step := range []string{
			"import \"corp/rings\"\nk := rings.Ring(\"a\", \"b\")", "n := k.Next", "n.Kids = append(n.Kids, k)",
			"func last(k *rings.Recursive) *rings.Recursive { return k.Kids[len(k.Kids)-1] }", "rings.Append(n, \"c\")", "x := last(n).Name + n.Kids[0].Next.Name",
		} {
			res, err := s.Run(b.Context(), sandtrap.Script{Text: step})
			if err != nil {
				b.Fatalf("%s: %v", step, err)
			}
			if i == 5 && res.Vars["x"] != "cb" {
				b.Errorf("x is %v", res.Vars["x"])
			}
		}
	})
}
