package nettest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// jarScript has a jar whose list of public suffixes does what ask says.
const jarScript = `
import ("fmt"; "net/http"; "net/http/cookiejar"; "net/url"; "os"; "runtime"; "strings"; "time")

var (
	jar  *cookiejar.Jar
	u, _ = url.Parse("http://www.example.com/")
	ask  func(domain string)
	_    = runtime.Goexit
	_    = time.Second
	_    = os.Args
	_    = strings.Repeat
)

type list struct{}

func (list) String() string { return "" }
func (list) PublicSuffix(domain string) string {
	if f := ask; f != nil {
		ask = nil
		f(domain)
	}
	return "com"
}

func set(name string) {
	jar.SetCookies(u, []*http.Cookie{{Name: name, Value: "1"}, {Name: name + "d", Value: "2", Domain: "example.com"}})
}

func show() { fmt.Println(jar.Cookies(u)) }

func main() {
	jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: list{}})
	set("a")
`

func runJar(t *testing.T, p sandtrap.Policy, body string) (*sandtrap.Result, error) {
	t.Helper()
	g, err := egress.New(egress.Policy{}, egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return mustBox(t, p, g).Run(t.Context(), sandtrap.Script{Text: "package main\n" + jarScript + body + "\n}\n"})
}

// TestListOfScript: a list of public suffixes may use the jar that asks it, wait for another goroutine that does, panic, and end
// its goroutine: the jar can be used after that. Go's waits for itself in most of them.
func TestListOfScript(t *testing.T) {
	for name, tc := range map[string]struct{ body, want string }{
		"uses the jar":       {`ask = func(string) { set("b"); show() }; set("c"); show()`, "[a=1 ad=2 b=1 bd=2]\n[a=1 ad=2 b=1 bd=2 c=1 cd=2]\n"},
		"asked for a cookie": {`ask = func(string) { ask = func(string) { set("b") } }; set("c"); show()`, "[a=1 ad=2 b=1 bd=2 c=1 cd=2]\n"},
		"while reading":      {`ask = func(string) { set("b") }; show()`, "[a=1 ad=2 b=1 bd=2]\n"},
		"waits": {`in, out := make(chan bool), make(chan bool)
			ask = func(string) { in <- true; <-out }
			go func() { <-in; set("b"); show(); out <- true }()
			set("c"); show()`, "[a=1 ad=2 b=1 bd=2]\n[a=1 ad=2 b=1 bd=2 c=1 cd=2]\n"},
		"panics":             {`func() { defer func() { fmt.Println(recover()) }(); ask = func(string) { panic("x") }; set("b") }(); set("c"); show()`, "x\n[a=1 ad=2 c=1 cd=2]\n"},
		"ends its goroutine": {`done := make(chan bool); go func() { defer close(done); ask = func(string) { runtime.Goexit() }; set("b") }(); <-done; set("c"); show()`, "[a=1 ad=2 c=1 cd=2]\n"},
		"is never done":      {`in := make(chan bool); go func() { ask = func(string) { in <- true; select {} }; set("b") }(); <-in; set("c"); show()`, "[a=1 ad=2 c=1 cd=2]\n"},
		"changes the cookies": {`c := &http.Cookie{Name: "b", Value: "1"}; cookies := []*http.Cookie{c, {Name: "d", Value: "2"}}
			ask = func(string) { c.Domain, c.Name, cookies[1], u.Host = "example.com", "z", nil, "a.example.com" }
			jar.SetCookies(u, cookies); u.Host = "www.example.com"; show()`, "[a=1 ad=2 b=1 d=2]\n"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
				res, err := runJar(t, p, tc.body)
				if err != nil || res.Stdout != tc.want {
					t.Errorf("got %q, %v; want %q", res.Stdout, err, tc.want)
				}
			})
		})
	}
}

// TestHostileJar: what a jar keeps, and what a call of it takes, is counted.
func TestHostileJar(t *testing.T) {
	for name, tc := range map[string]struct {
		body string
		want error
	}{
		"many cookies": {`for n := 0; ; n++ { list := make([]*http.Cookie, 5000); for i := range list { list[i] = &http.Cookie{Name: fmt.Sprint(n, "-", i)} }
			jar.SetCookies(u, list) }`, sandtrap.KindMemory},
		"one path for all": {`u.Path = "/" + strings.Repeat("a", 1<<20) + "/x"; list := make([]*http.Cookie, 100); for i := range list { list[i] = &http.Cookie{Name: fmt.Sprint(i)} }
			jar.SetCookies(u, list)`, sandtrap.KindMemory},
		"one cookie in a list": {`u.Path = "/" + strings.Repeat("a", 1<<20) + "/x"; list := make([]*http.Cookie, 1<<14); for i := range list { list[i] = &http.Cookie{Name: "x"} }
			for { jar.SetCookies(u, list) }`, sandtrap.KindTimeout},
		"a host of letters": {`var b strings.Builder; for i := range 100_000 { b.WriteRune(rune(0x4e00 + i)) }
			u.Host = b.String() + ".com"; for { set("x") }`, sandtrap.KindTimeout},
		"asks for ever": {`var again func(string); again = func(string) { ask = again; set("b") }; ask = again; set("b")`, nil},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
				p.Limits.Timeout, p.Limits.Memory, p.Limits.Ticks = 5*time.Second, 16<<20, 0
				if tc.want == sandtrap.KindMemory { // which may take long to come to
					p.Limits.Timeout = time.Minute
				}
				began := time.Now()
				_, err := runJar(t, p, tc.body)
				if err == nil || tc.want != nil && !errors.Is(err, tc.want) {
					t.Errorf("%v, want %v", err, tc.want)
				}
				if took := time.Since(began); took > time.Minute {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}
