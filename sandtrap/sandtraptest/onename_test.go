package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Types of a host. Of all but an Onevault scripts know the fields, because functions that need no import take or give them;
// Onetray is a member of a package.
type (
	Oneorder struct {
		ID    int
		Lines []Oneline
		Stage Onestage
		Next  *Oneorder
	}
	Oneline        struct{ Name string }
	Onestage       int
	Onetags        []string
	Onecount       map[string]int
	Onepair[T any] struct{ A, B T }
	Onevault       struct {
		//lint:ignore U1000 what makes it a type of which scripts see nothing
		key string
	}
	Onetray  struct{ N int }
	Onefault struct{ Code int }
)

func (*Onefault) Error() string { return "fault" }

// oneTwin gives a type with the name of another, as packages of a host may have.
func oneTwin() any {
	type Oneorder struct{ ID int }
	return func() Oneorder { return Oneorder{} }
}

func oneName() sandtrap.Policy {
	return sandtrap.Policy{
		Std: sandtrap.StdDefault(), Limits: limits,
		Funcs: map[string]any{
			"order": func(id int) (*Oneorder, error) {
				if id == 0 {
					return nil, errors.New("none")
				}
				return &Oneorder{ID: id}, nil
			},
			"pay":    func(context.Context, Oneorder) Onestage { return 3 },
			"tags":   func() Onetags { return Onetags{"a"} },
			"count":  func() Onecount { return Onecount{"a": 1} },
			"pair":   func() Onepair[Oneorder] { return Onepair[Oneorder]{} },
			"vault":  func() *Onevault { return &Onevault{} },
			"order2": func(id int) Oneorder { return Oneorder{ID: id} },
			"fail":   func() (int, error) { return 0, &Onefault{} },
			"break_": func() int { panic(Oneorder{}) },
		},
		Packages: []sandtrap.Package{{Path: "example.com/one/shop", Members: map[string]any{"Tray": (*Onetray)(nil), "New": func(Oneorder) Onetray { return Onetray{} }}}},
	}
}

// TestOneName: a type has one name, whatever it is that shows it, in each mode: that by which scripts write it. A type of
// the host's that no package of scripts has is written without one, also if scripts cannot name it.
func TestOneName(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi shows types of the host to scripts without their fields")
		}
		policy := oneName()
		policy.Engine, policy.Isolation = b.Engine, b.Isolation
		plan, err := sandtrap.Compile(policy)
		if err != nil {
			b.Fatal(err)
		}
		box := b.Box(policy)
		for _, tc := range []struct{ src, want string }{
			// Printed.
			{`o, _ := order(1); fmt.Printf("%T %T %T %T %T", o, *o, o.Lines, o.Stage, order)`, "*Oneorder Oneorder []Oneline Onestage func(int) (*Oneorder, error)"},
			{`fmt.Printf("%T %T %T %T", tags(), count(), pair(), vault())`, "Onetags Onecount Onepair[Oneorder] *Onevault"},
			{`o, _ := order(1); fmt.Printf("%#v %#v %#v", *o, tags(), count())`, `Oneorder{ID:1, Lines:[]Oneline(nil), Stage:0, Next:(*Oneorder)(nil)} Onetags{"a"} Onecount{"a":1}`},
			{`fmt.Printf("%#v %#v", vault(), pair())`, "&Onevault{} Onepair[Oneorder]{}"},
			{`o, _ := order(1); t := reflect.TypeOf(o); fmt.Print(t, t.Elem().Name(), t.Elem().PkgPath(), reflect.TypeOf(pair()).Name())`, "*OneorderOneorderOnepair[Oneorder]"},
			{`type box[T any] struct{ v T }; fmt.Printf("%T", box[Oneorder]{})`, "main.box[Oneorder]"},
			{`import "example.com/one/shop"; type box[T any] struct{ v T }; fmt.Printf("%T %T", box[shop.Tray]{}, shop.Tray{})`, "main.box[example.com/one/shop.Tray] shop.Tray"},
			{`import "example.com/one/shop"; fmt.Printf("%v %#v", reflect.TypeOf(shop.New), shop.New(Oneorder{}))`, "func(Oneorder) shop.Tray shop.Tray{N:0}"},
			{`defer func() { fmt.Printf("%T", recover()) }(); panic(tags())`, "Onetags"},
			{`_, err := fail(); fmt.Printf("%T", err)`, "*Onefault"},
			// Kept and echoed.
			{`o, _ := order(1); v := vault(); p := pair(); s := o.Stage; list := []Oneline{}`, "map[list:[]Oneline o:*Oneorder p:Onepair[Oneorder] s:Onestage v:*Onevault]"},
			{`o, _ := order(1); *o`, "Oneorder{ID:1, Lines:[]Oneline(nil)"},
			{`vault()`, "Onevault{"},
			// Errors of runs.
			{`o, _ := order(1); var x any = o; x.(int)`, "interface {} is *Oneorder, not int"},
			{`o, _ := order(1); panic(o)`, "(*Oneorder) 0x"},
			{`panic(order2(1).Stage)`, "Onestage(0)"},
			{`break_()`, "Oneorder"},
			{`o, _ := order(1); panic(json.Unmarshal([]byte("[]"), o))`, "into Go value of type Oneorder"},
			{`o, _ := order(1); template.Must(template.New("x").Parse("{{.Nope}}")).Execute(os.Stdout, o); panic("x")`, "x"},
			{`o, _ := order(1); reflect.ValueOf(o).Elem().Field(0).Set(reflect.ValueOf(o))`, "value of type *Oneorder is not assignable"},
			{`var x, y any = tags(), tags(); panic(x == y)`, "comparing uncomparable type Onetags"},
			{`var x, y any = order2(1), order2(1); panic(x == y)`, "comparing uncomparable type Oneorder"},
			{`m := map[any]int{order2(1): 1}; panic(m)`, "hash of unhashable type Oneorder"},
			{`x := [1]any{order2(1)}; m := map[[1]any]int{}; m[x]++`, "hash of unhashable type Oneorder"},
			// Errors before it.
			{`x := order(1)`, "(value of type (*Oneorder, error))"},
			{`var s string = tags()`, "(value of slice type Onetags)"},
			{`var s string = vault()`, "(value of type *Onevault)"},
			{`var s string = pair()`, "(value of struct type Onepair[Oneorder])"},
			{`o, _ := order(1); o.Nope`, "no Oneorder.Nope (an Oneorder has"},
			{`vault().Nope`, "Onevault.Nope is not allowed by this policy: scripts can hold an Onevault"},
			{`o, _ := order(1); o.Nope`, "\nabout Oneorder.Nope\n"},
			{`pay(1)`, "as Oneorder value in argument to pay (write Oneorder{ID: "},
			{`pay(1, 2)`, "want (Oneorder) (its signature is func pay(Oneorder) Onestage)"},
			{`import "example.com/one/shop"; shop.New(1)`, "as Oneorder value in argument to shop.New"},
			{`import "example.com/one/shop"; var s string = shop.New(Oneorder{})`, "(value of struct type shop.Tray)"},
			{`type Oneorder struct{}; pay(Oneorder{})`, "the host has a type Oneorder, and this script declares another one"},
			{`var o host.Oneorder`, "write Oneorder without host"},
			{`import "host"; var o host.Oneorder`, "it needs no import: remove the line, and write names without the package"},
		} {
			text := shownOf(b, box, tc.src)
			if !strings.Contains(text, tc.want) {
				b.Errorf("%s\n shows %.600s\n want %s", tc.src, text, tc.want)
			}
			if strings.Contains(text, "sandtraptest") || strings.Contains(text, "sandtrap/host") {
				b.Errorf("%s\n shows the host's package: %.600s", tc.src, text)
			}
		}
		if res, err := box.Run(b.Context(), sandtrap.Script{Text: "func OnOrder(s string) {}", Funcs: []string{"OnOrder"}}); err != nil {
			b.Error(err)
		} else {
			for want, arg := range map[string]any{"argument 1: Oneorder does not": Oneorder{}, "argument 1: Oneorder does not fit string": &Oneorder{}, "argument 1: []Onestage does not": []Onestage{1}} {
				if _, err := res.Func("OnOrder").Call(b.Context(), arg); err == nil || !strings.Contains(err.Error(), want) {
					b.Errorf("%T: %v, want %s", arg, err, want)
				}
			}
		}
		reference, err := plan.Reference()
		if err != nil || !strings.Contains(reference, "func order(int) (*Oneorder, error)") || strings.Contains(reference, "sandtraptest") {
			b.Errorf("%v\n%s", err, reference)
		}
	})
}

// shownOf is all that a run shows: what it prints, its echo, types, warnings and error.
func shownOf(b bench, box *sandtrap.Sandbox, src string) string {
	res, err := box.Run(b.Context(), sandtrap.Script{Text: src, Echo: sandtrap.EchoAll})
	text := fmt.Sprint(err)
	if e, ok := errors.AsType[*sandtrap.Error](err); ok {
		for _, one := range e.All() {
			text += fmt.Sprintf("\nabout %s", one.Name)
		}
	}
	if res != nil {
		text += fmt.Sprint("\n", res.Stdout, res.Echo, res.Types, res.Warnings)
	}
	return text
}

// TestOneNameTwins: types of a host with one name are types of their own.
func TestOneNameTwins(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi has other type parameters")
		}
		type Oneorder struct{ ID int }
		policy := pure()
		policy.Funcs = map[string]any{"order": func() Oneorder { return Oneorder{1} }, "twin": oneTwin(), "pay": func(Oneorder) {}}
		policy.Engine, policy.Isolation = b.Engine, b.Isolation
		box := b.Box(policy)
		for src, want := range map[string]string{
			`pay(twin())`: "the host has several types Oneorder",
			"func as[T any](_ T, x any) bool { _, is := x.(T); return is }\nfmt.Print(as(twin(), order()), as(order(), twin()), as(twin(), twin()))":                                                                      "false false true",
			"type box[T any] struct{ v T }\nfunc in[T any](v T) any { return box[T]{v} }\nfunc as[T any](_ T, x any) bool { _, is := x.(box[T]); return is }\nfmt.Print(as(twin(), in(order())), as(twin(), in(twin())))": "false true",
		} {
			if text := shownOf(b, box, src); !strings.Contains(text, want) {
				b.Errorf("%s\n shows %.600s\n want %s", src, text, want)
			}
		}
	})
}
