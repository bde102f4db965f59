package sandtraptest

import (
	"html"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// A Locker is a host type of which a policy shows some.
type Locker struct {
	Label  string
	Code   string
	Inner  *Locker
	Where  Hidden
	hidden string
}

func (v Locker) Open() string              { return "opened " + v.Label }
func (v *Locker) Danger() string           { return v.hidden }
func (v *Locker) Rename(to string) *Locker { v.Label = to; return v }
func (v *Locker) Count(n ...int) int       { return len(n) }
func (v *Locker) String() string           { return "locker " + v.Label }
func (v *Locker) Fails() (string, error)   { return "", errLocker }
func (v *Locker) Keys() map[string]*Locker { return map[string]*Locker{"k": v} }
func (v *Locker) Each(f func(string) bool) { f(v.Label) }

// Hidden is a host type that the policy does not list.
type Hidden struct{ Name string }

func (Hidden) Danger() string { return "danger" }

type lockerError struct{}

func (lockerError) Error() string  { return "no locker" }
func (lockerError) Danger() string { return "danger" }

var errLocker = lockerError{}

// TestTemplateReach: of a value of the host's a template comes as far as the policy
// shows it, whichever way it gets there; the rest fails as if it were not there.
func TestTemplateReach(t *testing.T) {
	for text, want := range map[string]string{
		"{{.Label}}":                         "L",
		"{{.Open}}":                          "opened L",
		"{{.Count 1 2}} {{.Count}}":          "2 0",
		"{{(.Rename `M`).Label}} {{.Label}}": "M M",
		"{{.Inner.Inner}}":                   "<nil>",
		"{{.Inner.Open}}{{with .Inner}}{{.Label}}{{end}}":                    "opened II",
		"{{.Keys.k.Label}}{{range $k, $v := .Keys}}{{$k}}{{$v.Open}}{{end}}": "Lkopened L",
		"{{.Fails}}":                      "error calling Fails: no locker",
		"{{.Code}}":                       "can't evaluate field Code in type *corp.Locker",
		"{{.hidden}}":                     "can't evaluate field hidden in type *corp.Locker",
		"{{.Danger}}":                     "can't evaluate field Danger in type *corp.Locker",
		"{{.Inner.Danger}}":               "can't evaluate field Danger",
		"{{.Keys.k.Danger}}":              "can't evaluate field Danger",
		"{{(index .Keys `k`).Danger}}":    "can't evaluate field Danger",
		"{{$x := .}}{{$x.Danger}}":        "can't evaluate field Danger",
		"{{range .Keys}}{{.Code}}{{end}}": "can't evaluate field Code",
		"{{.Where.Name}}":                 "can't evaluate field Where",
		"{{(bare).Name}}":                 "can't evaluate field Name",
		"{{(bare).Danger}}":               "can't evaluate field Danger",
		"{{(wrapped .).Danger}}":          "can't evaluate field Danger",
		"{{(wrapped .).Code}}":            "can't evaluate field Code",
		"{{(wrapped .).Label}}":           "L",
		"{{(wrapped .).Open}}":            "opened L",
		"{{(failed).Danger}}":             "can't evaluate field Danger",
		"{{call .Danger}}":                "can't evaluate field Danger",
	} {
		for _, path := range []string{"text/template", "html/template"} {
			t.Run(path+" "+text, func(t *testing.T) { reach(t, path, text, want) })
		}
	}
}

func reach(t *testing.T, path, text, want string) {
	locker := &Locker{Label: "L", Code: "1234", Inner: &Locker{Label: "I"}, hidden: "danger"}
	p := sandtrap.Policy{Std: sandtrap.StdDefault()}
	p.Packages = []sandtrap.Package{{
		Path: "corp", Members: map[string]any{"Locker": (*Locker)(nil)},
		Exclude: []string{"Locker.Danger", "Locker.Code", "Locker.Where"},
	}}
	p.Funcs = map[string]any{
		"locker": func() *Locker { return locker },
		"bare":   func() any { return Hidden{"name"} },
		"failed": func() error { return errLocker },
	}
	res, err := rig.RunOnce(t, p, `
import ("os"; "`+path+`"; "corp")
type wrapper struct{ *corp.Locker }
t := template.Must(template.New("t").Funcs(template.FuncMap{
	"wrapped": func(v *corp.Locker) any { return wrapper{v} },
	"bare": bare, "failed": func() any { return failed() },
}).Parse(`+"`"+strings.ReplaceAll(text, "`", "\"")+"`"+`))
if err := t.Execute(os.Stdout, locker()); err != nil { print(err.Error()) }
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := html.UnescapeString(res.Stdout + res.Stderr); !strings.Contains(got, want) || strings.Contains(got, "danger") || strings.Contains(got, "1234") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTemplateRows: a method of the host's that a template calls is what its row makes
// of it: here, a time does not tell the zone of the host.
func TestTemplateRows(t *testing.T) {
	for _, path := range []string{"text/template", "html/template"} {
		res, err := rig.RunOnce(t, sandtrap.Policy{Std: sandtrap.StdDefault()}, `
import ("os"; "`+path+`"; "time")
template.Must(template.New("t").Parse("{{.Local.Location}}")).Execute(os.Stdout, time.Unix(0, 0).UTC())
`)
		if err != nil || res.Stdout != "UTC" {
			t.Errorf("%s: got %q, %v, want UTC", path, res.Stdout, err)
		}
	}
}
