package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// An Account is a type of a host: some of it scripts see, some is its own.
type Account struct {
	Owner   string
	Limit   int `json:"limit"`
	Tags    []string
	Parent  *Account2
	Secret  string
	balance int
}

func (a *Account) Deposit(n int) int                    { a.balance += n; return a.balance }
func (a *Account) Balance() int                         { return a.balance }
func (a Account) Label() string                         { return fmt.Sprint(a.Owner, "/", a.Limit) }
func (a *Account) Rename(s string)                      { a.Owner = s }
func (a *Account) Wipe()                                { a.balance = 0 }
func (a *Account) May(ctx context.Context) (bool, bool) { return may(ctx) }
func (a *Account) Fail(n int) (int, error)              { return n, errors.New("no " + a.Owner) }
func (a *Account) Explode()                             { panic("boom " + a.Owner) }
func (a *Account) All(n ...int) int                     { return len(n) + a.balance }

// Account2 is one that an Account leads to.
type Account2 struct{ Name string }

func (a Account2) String() string { return "<" + a.Name + ">" }

// A point has nothing of its own.
type point struct{ X, Y int }

func (p point) Sum() int    { return p.X + p.Y }
func (p *point) Move(n int) { p.X += n }

// secretive is a type that no member names.
type secretive struct{ n int }

func try(n int) error { return &HostError{Code: n} }

// bank is a policy with types.
func bank() sandtrap.Policy {
	p := pure()
	last := &Account{Owner: "last", balance: 100}
	p.Packages = []sandtrap.Package{{Path: "corp/bank", Exclude: []string{"Account.Wipe", "Account.Secret"}, Members: map[string]any{
		"Account": (*Account)(nil), "Account.May": sandtrap.Member{Network: true}, "Account2": (*Account2)(nil), "Point": (*point)(nil),
		"Open":  func(owner string) *Account { return &Account{Owner: owner, Secret: "s3cret"} },
		"Last":  func() *Account { return last },
		"Copy":  func() Account { return Account{Owner: "copy", balance: 7} },
		"Touch": func() { last.Owner += "!" },
		"Owner": func(a *Account) string { return a.Owner },
		"Same":  func(a, b *Account) bool { return a == b },
		"Sum": func(list []*Account, more map[string]point) int {
			n := len(more)
			for _, a := range list {
				n += a.balance
			}
			return n
		},
		"List":   func(n int) []*Account { return []*Account{last, nil, {Owner: fmt.Sprint(n)}}[:n] },
		"Any":    func(v any) string { return fmt.Sprintf("%T", v) },
		"Back":   func(v any) any { return v },
		"Hide":   func(n int) *secretive { return &secretive{n} },
		"Show":   func(h *secretive) int { return h.n },
		"HideV":  func(n int) secretive { return secretive{n} },
		"ShowV":  func(h secretive) int { return h.n },
		"Linked": func() *Account { return &Account{Owner: "l", Parent: &Account2{"p"}} },
		"Fault":  (*HostError)(nil),
		"Try":    func(n int) error { return fmt.Errorf("tried: %w", try(n)) },
		"Raw":    try,
		"Why": func(err error) string {
			var f *HostError
			return fmt.Sprint(errors.As(err, &f), f, " ", err)
		},
		"Shift": func(p point) point { return point{p.Y, p.X} },
	}}}
	return p
}

// typeRows are what a Go programmer does with the types of the bank.
var typeRows = []struct {
	src  string
	want string // of x; "" is a refusal
}{
	{`a := bank.Account{Owner: "me", Limit: 3}; x := a.Label()`, "me/3"},
	{`a := &bank.Account{Owner: "me"}; a.Deposit(2); x := a.Deposit(3)`, "5"},
	{`a := bank.Open("you"); a.Deposit(2); x := fmt.Sprint(a.Owner, a.Balance())`, "you2"},
	{`a := bank.Open("you"); a.Rename("him"); x := a.Owner`, "him"},
	{`a := bank.Open("you"); a.Owner = "me"; x := a.Label() + bank.Owner(a)`, "me/0me"},
	{`a := bank.Last(); bank.Touch(); x := a.Owner`, "last!"},
	{`x := bank.Same(bank.Last(), bank.Last())`, "true"},
	{`x := bank.Last() == bank.Last()`, "true"},
	{`a, b := bank.Open("a"), bank.Open("a"); x := fmt.Sprint(a == b, bank.Same(a, b), bank.Same(a, a))`, "false false true"},
	{`a := bank.Account{Owner: "a"}; a.Deposit(4); b := a; b.Deposit(1); x := fmt.Sprint(a.Balance(), b.Balance())`, "4 5"},
	{`a := bank.Copy(); b := a; a.Deposit(1); x := fmt.Sprint(a.Balance(), b.Balance())`, "8 7"},
	{`a := bank.Open("a"); a.Deposit(4); *a = bank.Account{Owner: "z"}; x := fmt.Sprint(a.Owner, a.Balance())`, ""},
	{`a, b := bank.Open("a"), bank.Open("b"); a.Deposit(4); *b = *a; x := fmt.Sprint(b.Owner, b.Balance())`, ""},
	{`a := bank.Account{}; a.Deposit(2); x := bank.Sum([]*bank.Account{&a, bank.Last()}, map[string]bank.Point{"k": {}})`, "103"},
	{`l := bank.List(3); x := fmt.Sprint(len(l), l[0] == bank.Last(), l[1] == nil, l[2].Owner)`, "3 true true3"},
	{`a := bank.Linked(); x := a.Parent.Name; a.Parent.Name = "q"; x += fmt.Sprint(a.Parent)`, "p<q>"},
	{`a := bank.Open("a"); a.Tags = append(a.Tags, "k"); x := fmt.Sprint(a.Tags, len(a.Label()))`, "[k] 3"},
	{`x := fmt.Sprint(bank.Account2{Name: "n"}, &bank.Account2{Name: "m"})`, "<n> <m>"},
	{`x := fmt.Sprintf("%v %T", bank.Point{X: 1, Y: 2}, bank.Point{})`, "{1 2} bank.Point"},
	{`x := fmt.Sprintf("%+v", bank.Point{X: 1, Y: 2})`, "{X:1 Y:2}"},
	{`x := bank.Point{1, 2} == bank.Point{X: 1, Y: 2}`, "true"},
	{`p := bank.Point{1, 2}; p.Move(4); x := p.Sum()`, "7"},
	{`p := bank.Shift(bank.Point{1, 2}); x := fmt.Sprint(p.X, p.Y)`, "2 1"},
	{`m := map[bank.Point]string{{1, 2}: "k"}; x := m[bank.Point{1, 2}]`, "k"},
	{`f := bank.Open("f").Deposit; f(1); x := f(2)`, "3"},
	{`f := bank.Point.Sum; x := f(bank.Point{3, 4})`, "7"},
	{`a, b := bank.Open("a").May(); x := fmt.Sprint(a, b)`, "true false"},
	{`n, err := bank.Open("a").Fail(3); x := fmt.Sprint(n, err)`, "3 no a"},
	{`func try() (s string) { defer func() { s = fmt.Sprint(recover()) }(); bank.Open("a").Explode(); return "" }; x := try()`, "boom a"},
	{`a := bank.Open("a"); a.Deposit(3); x := a.All(1, 2) + a.All([]int{4}...)`, "9"},
	{`type deposit interface { Deposit(int) int }
var d deposit = bank.Open("d"); x := d.Deposit(6)`, "6"},
	{`type wipe interface { Wipe() }
var v any = bank.Open("d"); _, ok := v.(wipe); x := ok`, "false"},
	{`type label interface { Label() string }
var v any = bank.Open("d"); l, ok := v.(label); x := fmt.Sprint(ok, l.Label())`, "trued/0"},
	{`type W struct { *bank.Account; n int }
w := W{bank.Open("w"), 1}; w.Deposit(4); x := fmt.Sprint(w.Owner, w.Balance())`, "w4"},
	{`func most[T interface{ Sum() int }](l ...T) (n int) { for _, v := range l { n = max(n, v.Sum()) }; return n }
x := most(bank.Point{1, 2}, bank.Point{3, 4})`, "7"},
	{`var v any = bank.Back(bank.Last()); a, ok := v.(*bank.Account); x := fmt.Sprint(ok, a == bank.Last())`, "true true"},
	{`switch v := bank.Back(bank.Point{5, 6}).(type) { case bank.Point: x := v.Sum(); fmt.Print(x) }; x := 11`, "11"},
	{`x := bank.Show(bank.Hide(9))`, "9"},
	{`h := bank.HideV(9); x := bank.ShowV(h)`, "9"},
	{`j, err := json.Marshal(bank.Account{Owner: "o", Limit: 2}); x := string(j) + fmt.Sprint(err)`, `{"Owner":"o","limit":2,"Tags":null,"Parent":null}<nil>`},
	{`x := bank.Any(bank.Open("a"))`, "*sandtraptest.Account"},
	{`err := bank.Raw(3); f, ok := err.(*bank.Fault); x := fmt.Sprint(ok, f.Code, err)`, "true 3 host error 3"},
	{`var f *bank.Fault; ok := errors.As(bank.Try(4), &f); x := fmt.Sprint(ok, f.Code, bank.Try(4))`, "true 4 tried: host error 4"},
	{`x := bank.Why(&bank.Fault{Code: 5})`, "true host error 5 host error 5"},
	{`x := bank.Why(fmt.Errorf("w: %w", bank.Raw(6)))`, "true host error 6 w: host error 6"},
	{`x := bank.Why(errors.Join(errors.New("j"), bank.Raw(6)))`, "true host error 6 j\nhost error 6"},
	{`e := bank.Raw(7); f := fmt.Errorf("w: %w", e); x := errors.Is(f, e)`, "true"},
	{`e := bank.Raw(7); x := fmt.Sprintf("%v %s %T", e, e, e)`, "host error 7 host error 7 *bank.Fault"},
	{`func try() (s string) { defer func() { s = fmt.Sprint(recover()) }(); panic(bank.Raw(8)) }; x := try()`, "host error 8"},
	{`x := bank.Open("a").Wipe`, ""},
	{`x := bank.Open("a").Secret`, ""},
	{`x := bank.Open("a").balance`, ""},
	{`x := bank.Account{Secret: "s"}`, ""},
	{`x := bank.Account{"a", 1, nil, nil}`, ""},
	{`x := bank.Hide(1).n`, ""},
	{`x := bank.Show(nil) + len(bank.Hide)`, ""},
}

// TestTypes: a struct type of the host is in each mode what it is to a Go programmer.
func TestTypes(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(bank())
		for _, tc := range typeRows {
			b.In(tc.src, func(b bench) {
				res, err := box.Run(b.Context(), sandtrap.Script{Text: "import \"corp/bank\"\n" + tc.src})
				switch {
				case b.RefusedByEngine(res), !b.Dispatches && (strings.Contains(tc.src, "interface {") || strings.Contains(tc.src, "json.")): // that is the vm's
				case tc.want == "" && !errors.Is(err, sandtrap.ErrRefused), tc.want != "" && (err != nil || fmt.Sprint(res.Vars["x"]) != tc.want):
					b.Errorf("got %v, %v, want %q", res.Vars["x"], err, tc.want)
				}
			})
		}
	})
}
