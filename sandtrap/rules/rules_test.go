package rules_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// memberOf is a member with the parameters and types of a function.
func memberOf(name string, fn any, params ...string) rules.Member {
	t := reflect.TypeOf(fn)
	m := rules.Member{Name: name, Params: params, Variadic: t.IsVariadic()}
	for p := range t.Ins() {
		m.Types = append(m.Types, p)
	}
	for r := range t.Outs() {
		m.Results = append(m.Results, r)
	}
	return m
}

// values are those of a call.
func values(args ...any) (list []reflect.Value) {
	for _, a := range args {
		list = append(list, reflect.ValueOf(a))
	}
	return list
}

// fires compiles a block rule with one condition on the parameter x, and reports whether it fires for a value of the type of
// T.
func fires[T any](t *testing.T, c rules.Condition, value T) bool {
	t.Helper()
	if c.Param == "" && c.All == nil && c.Any == nil && c.Not == nil {
		c.Param = "x"
	}
	m := memberOf("f", func(T) {}, "x")
	s, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"f"}, When: []rules.Condition{c}, Do: rules.Block}}, []rules.Member{m})
	if err != nil {
		t.Fatalf("%+v: %v", c, err)
	}
	hits := s.For("f").Before([]reflect.Value{reflect.ValueOf(&value).Elem()}, s.NewState())
	return len(hits) > 0
}

// TestPathVariants: forms of one path are one path, and a path that nobody knows the place of is blocked.
func TestPathVariants(t *testing.T) {
	secret := rules.Condition{Path: []string{"/srv/secrets/**"}}
	for _, p := range []string{
		"/srv/secrets/key", "/srv/secrets", "/srv//secrets/key", "/srv/./secrets/key", "/srv/a/../secrets/key", "//srv/secrets/key",
		"/../srv/secrets/key", "/srv/secrets/../secrets/key", "/srv/secrets/", "/x/../srv/x/../secrets/./a//b/../c",
		"srv/secrets/key", "../srv/secrets/key", "../../secrets/key", "/srv/secrets\x00/../x",
	} {
		if !fires(t, secret, p) {
			t.Errorf("%q is not blocked", p)
		}
	}
	for _, p := range []string{"/srv/secrets/../public", "/srv/secretss/key", "/srv", "/", "", "public/key"} {
		if fires(t, secret, p) {
			t.Errorf("%q is blocked", p)
		}
	}
}

// TestHits: the hits are those of the rules that fire, in their order, with their texts.
func TestHits(t *testing.T) {
	s, err := rules.Compile([]rules.Rule{
		{Name: "one", On: []string{"mail.*"}, Do: rules.Ask, Text: "to {to}"},
		{Name: "two", On: []string{"mail.Send"}, When: []rules.Condition{{Param: "to", In: []any{"a", "b"}}}, Do: rules.Block, Text: "no {{ {member}"},
		{Name: "three", On: []string{"*"}, Do: rules.Warn},
	}, []rules.Member{memberOf("mail.Send", func(string) {}, "to"), memberOf("f", func() {})})
	if err != nil {
		t.Fatal(err)
	}
	got := s.For("mail.Send").Before(values("a"), s.NewState())
	want := []rules.Hit{{"one", rules.Ask, `to "a"`}, {"two", rules.Block, "no { mail.Send"}, {"three", rules.Warn, "rule three"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !s.For("mail.Send").Asks() || s.For("f").Asks() || s.For("g") != nil {
		t.Error("Asks or For")
	}
}

// TestNearest: an unknown name is an error with the nearest one.
func TestNearest(t *testing.T) {
	_, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"sendMial"}, Do: rules.Block}}, []rules.Member{memberOf("sendMail", func() {})})
	if err == nil || !strings.Contains(err.Error(), `rule "r": on: there is no member "sendMial"; did you mean "sendMail"?`) {
		t.Error(err)
	}
}
