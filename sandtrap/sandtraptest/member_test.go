package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Token is what scripts must not make.
type Token struct{ Level int }

func (t *Token) Holder() string { return fmt.Sprint("holder", t.Level) }

// Rank and Error are methods of the value, which pointers have, too.
func (t Token) Rank(n int) int { return t.Level*10 + n }
func (t Token) Error() string  { return fmt.Sprint("level", t.Level) }

var tokens = sandtrap.Package{Path: "corp/auth", Members: map[string]any{
	"Token": sandtrap.Member{Value: (*Token)(nil), Opaque: true},
	"Login": func(n int) *Token { return &Token{n} },
	"Who":   func(t *Token) string { return t.Holder() },
	"Any":   func(v any) any { return v },
}}

// TestOpaque: there is no way to make a value of an opaque type; what the host gave can be
// held, asked for its type, asserted and passed on.
func TestOpaque(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want any // of x; nil is a refusal
	}{
		{src: "x := auth.Token{Level: 9}"},
		{src: "x := &auth.Token{}"},
		{src: "x := new(auth.Token)"},
		{src: "var x auth.Token"},
		{src: "x := []auth.Token{{}}"},
		{src: "x := make([]auth.Token, 1)"},
		{src: "x := [1]auth.Token{}"},
		{src: "type T struct{ Level int }\nx := auth.Token(T{9})"},
		{src: "func zero[T any]() T { var z T; return z }\nx := zero[auth.Token]()"},
		{src: "func ptr[T any]() *T { return new(T) }\nx := ptr[auth.Token]()"},
		{src: "type W struct{ auth.Token }\nx := W{}"},
		{src: "type T auth.Token\nx := T{}"},
		{src: "x := *auth.Login(1)"},
		{src: "p := auth.Login(1)\nfor *p = range []int{1} {}"},
		{src: "x := auth.Who(auth.Login(2))", want: "holder2"},
		{src: "x := auth.Login(2).Holder()", want: "holder2"},
		{src: "x := auth.Login(2).Rank(1)", want: 21},
		{src: "f := auth.Login(2).Rank\nx := f(2)", want: 22},
		{src: "f := (*auth.Token).Rank\nx := f(auth.Login(2), 3)", want: 23},
		{src: "var r interface{ Rank(int) int } = auth.Login(2)\nx := r.Rank(4)", want: 24},
		{src: "var err error = auth.Login(2)\nx := err.Error()", want: "level2"},
		{src: "x := func() (x string) { defer func() { if recover() != nil { x = \"panicked\" } }(); var t *auth.Token; t.Rank(1); return }()", want: "panicked"},
		{src: "v := auth.Any(auth.Login(3))\nx := \"none\"\nif t, ok := v.(*auth.Token); ok { x = t.Holder() }", want: "holder3"},
		{src: "v := auth.Any(auth.Login(3))\nx := \"\"\nswitch t := v.(type) { case string: x = t; case *auth.Token: x = t.Holder() }", want: "holder3"},
		{src: "var t *auth.Token\nx := t == nil", want: true},
		{src: "m := map[string]*auth.Token{\"a\": auth.Login(4)}\nx := m[\"a\"].Level", want: 4},
		{src: "type W struct{ *auth.Token }\nx := W{auth.Login(5)}.Holder()", want: "holder5"},
		{src: "func id[T any](v T) T { return v }\nx := id(auth.Login(6)).Holder()", want: "holder6"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(sandtrap.Policy{Packages: []sandtrap.Package{tokens}, Limits: limits}, "import \"corp/auth\"\n"+tc.src)
				switch {
				case b.RefusedByEngine(res):
				case tc.want == nil && (!errors.Is(err, sandtrap.ErrRefused) || tc.want == nil && !strings.Contains(err.Error(), "auth.Token")):
					b.Errorf("error %v, want it refused", err)
				case tc.want != nil && (err != nil || res.Vars["x"] != tc.want):
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}

// service is a live object.
type service struct{ calls int }

func (s *service) Add(n int) int                          { s.calls += n; return s.calls }
func (s *service) May(ctx context.Context) (bool, bool)   { return may(ctx) }
func (s *service) Join(sep string, list ...string) string { return strings.Join(list, sep) }

func may(ctx context.Context) (network, files bool) {
	return sandtrap.CallInfoFrom(ctx).Network, sandtrap.CallInfoFrom(ctx).HostFiles
}

// Client is a type of which one method has more than the others.
type Client struct{}

func (Client) May(ctx context.Context) (bool, bool)  { return may(ctx) }
func (Client) Dial(ctx context.Context) (bool, bool) { return may(ctx) }

// TestObjects: the methods of a live object are functions of a package, and can be chosen
// among.
func TestObjects(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want string // "" is a refusal
	}{
		{"x := fmt.Sprint(svc.Add(2), svc.Add(3))", "2 5"},
		{"x := svc.Join(\"-\", \"a\", \"b\")", "a-b"},
		{"f := svc.Add\nx := fmt.Sprint(f(1))", "1"},
		{"x := fmt.Sprint(svc.Extra)", "7"},
		{"a, b := svc.May()\nx := fmt.Sprint(a, b)", ""},
		{"x := svc.calls", ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				p := pure()
				p.Packages = []sandtrap.Package{{Path: "corp/svc", Object: &service{}, Members: map[string]any{"Extra": 7}, Exclude: []string{"M*"}}}
				res, err := b.RunOnce(p, "import \"corp/svc\"\n"+tc.src)
				if tc.want == "" && !errors.Is(err, sandtrap.ErrRefused) || tc.want != "" && (err != nil || res.Vars["x"] != tc.want) {
					b.Errorf("got %v, %v, want %q", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}

// TestGrants: a grant is in the context of the call that has it, and nowhere else: not in
// that of its sibling, nor of what a callback in it calls, nor of a run within it.
func TestGrants(t *testing.T) {
	inner, err := sandtrap.New(t.Context(), sandtrap.Policy{Funcs: map[string]any{"plain": may}})
	if err != nil {
		t.Fatal(err)
	}
	with := func(ctx context.Context, f func(context.Context) string) string { return f(ctx) }
	p := pure()
	p.Funcs = map[string]any{
		"plain":  may,
		"net":    sandtrap.Member{Value: may, Network: true},
		"files":  sandtrap.Member{Value: may, HostFiles: true},
		"slow":   sandtrap.Member{Value: may, Blocking: true, Network: true, HostFiles: true},
		"own":    builtins.Function{Fn: may, Context: true},
		"with":   sandtrap.Member{Value: with, Network: true},
		"client": func() Client { return Client{} },
		"run": sandtrap.Member{Network: true, Value: func(ctx context.Context) string {
			res, err := inner.Run(ctx, sandtrap.Script{Text: "a, b := plain()"})
			return fmt.Sprint(res.Vars["a"], res.Vars["b"], err)
		}},
	}
	p.Packages = []sandtrap.Package{
		{Path: "corp/all", Object: &service{}, Network: true},
		{Path: "corp/client", Members: map[string]any{"Client": (*Client)(nil), "Client.Dial": sandtrap.Member{Network: true}}},
		{Path: "corp/typed", Members: map[string]any{"Client": sandtrap.Member{Value: (*clientTwo)(nil), HostFiles: true}, "New": func() *clientTwo { return nil }}},
	}
	for _, tc := range []struct{ src, want string }{
		{"plain()", "falsefalse"}, {"net()", "truefalse"}, {"files()", "falsetrue"}, {"slow()", "truetrue"}, {"own(context.Background())", "falsefalse"},
		{"all.May()", "truefalse"}, {"client.Client{}.May()", "falsefalse"}, {"client.Client{}.Dial()", "truefalse"}, {"typed.New().May()", "falsetrue"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(p, "import (\"corp/all\"; \"corp/client\"; \"corp/typed\")\n_, _, _ = all.May, client.Client{}, typed.New\na, b := "+tc.src+"\nx := fmt.Sprint(a) + fmt.Sprint(b)")
				if err != nil || res.Vars["x"] != tc.want {
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
	for name, src := range map[string]string{
		"callback":                "with(func(context.Context) string { a, b := plain(); return fmt.Sprint(a, b) })",
		"callback with its own":   "with(func(ctx context.Context) string { a, b := own(ctx); return fmt.Sprint(a, b) })",
		"callback with a derived": "with(func(ctx context.Context) string { c, stop := context.WithCancel(ctx); defer stop(); a, b := own(c); return fmt.Sprint(a, b) })",
		"a run within":            "strings.TrimSuffix(strings.ReplaceAll(run(), \"falsefalse\", \"false false\"), \"<nil>\")",
	} {
		t.Run(name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(p, "x := "+src)
				if got := strings.TrimSpace(fmt.Sprint(res.Vars["x"])); err != nil || got != "false false" {
					b.Errorf("got %q, %v", got, err)
				}
			})
		})
	}
}

// TestGrantsLate: a function that is called after its run has as little as in it.
func TestGrantsLate(t *testing.T) {
	p := pure()
	p.Funcs = map[string]any{"plain": may, "net": sandtrap.Member{Value: may, Network: true}}
	eachKeeping(t, func(b bench) {
		f := funcs(b, p, "f := func() string { a, b := plain(); c, d := net(); return fmt.Sprint(a, b, c, d) }")["f"]
		for range 2 {
			res, err := f.Call(b.Context())
			if err != nil || fmt.Sprint(res.Returned) != "[false false true false]" {
				b.Errorf("got %v, %v", res.Returned, err)
			}
		}
	})
}

type clientTwo struct{}

func (*clientTwo) May(ctx context.Context) (bool, bool) { return may(ctx) }

// TestNeeds: what a policy's members are granted can be asked for.
func TestNeeds(t *testing.T) {
	member := func(network, files bool) any {
		return sandtrap.Member{Value: may, Network: network, HostFiles: files}
	}
	for _, tc := range []struct {
		name       string
		policy     sandtrap.Policy
		net, files bool
	}{
		{"nothing", sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: map[string]any{"f": may}}, false, false},
		{"func", sandtrap.Policy{Funcs: map[string]any{"f": member(true, false)}}, true, false},
		{"both", sandtrap.Policy{Funcs: map[string]any{"f": member(true, false), "g": member(false, true)}}, true, true},
		{"member", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Members: map[string]any{"F": member(false, true)}}}}, false, true},
		{"excluded", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Members: map[string]any{"F": member(false, true), "G": may}}}, Exclude: []string{"a.F"}}, false, false},
		{"package", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Object: &service{}, Network: true}}}, true, false},
		{"method", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Members: map[string]any{"Client": (*Client)(nil), "Client.Dial": sandtrap.Member{Network: true}}}}}, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plan, err := sandtrap.Compile(tc.policy)
			if err != nil {
				t.Fatal(err)
			}
			if net, files := plan.Needs(); net != tc.net || files != tc.files {
				t.Errorf("got %v, %v, want %v, %v", net, files, tc.net, tc.files)
			}
		})
	}
}

// TestMemberErrors: registrations that make no sense fail, and the error names what and why.
func TestMemberErrors(t *testing.T) {
	in := func(members map[string]any) sandtrap.Policy {
		return sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a/b", Members: members}}}
	}
	for _, tc := range []struct {
		name   string
		policy sandtrap.Policy
		want   string
	}{
		{"object without a name", sandtrap.Policy{Packages: []sandtrap.Package{{Object: &service{}}}}, `Policy.Packages: "" is not an import path`},
		{"object without methods", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Object: 3}}}, "a: Object: int has no exported methods"},
		{"nil object", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Object: (*service)(nil)}}}, "a: Object: the object is nil"},
		{"twice", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Object: &service{}, Members: map[string]any{"Add": 1}}}}, "a.Add: both a member and a method of Object"},
		{"opaque function", in(map[string]any{"F": sandtrap.Member{Value: may, Opaque: true}}), "a/b.F: func(context.Context) (bool, bool) is no struct type"},
		{"opaque interface", in(map[string]any{"E": sandtrap.Member{Value: (*error)(nil), Opaque: true}}), "a/b.E: *error is no struct type"},
		{"no value", in(map[string]any{"F": sandtrap.Member{Network: true}}), "a/b.F: the value is nil"},
		{"method of nothing", in(map[string]any{"DB.Exec": sandtrap.Member{Network: true}}), "a/b.DB.Exec: there is no such method"},
		{"no such method", in(map[string]any{"Client": (*Client)(nil), "Client.Nope": sandtrap.Member{Network: true}}), "a/b.Client.Nope: there is no such method"},
		{"method with a value", in(map[string]any{"Client": (*Client)(nil), "Client.Dial": may}), "a/b.Client.Dial: only grants"},
		{"exclude", sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a", Object: &service{}}}, Exclude: []string{"a.Nope"}}, "Nope"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := sandtrap.Compile(tc.policy)
			if !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(fmt.Sprint(err), tc.want) {
				t.Errorf("error %v, want ErrPolicy with %q", err, tc.want)
			}
		})
	}
}
