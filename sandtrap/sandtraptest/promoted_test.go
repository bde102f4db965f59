package sandtraptest

import "testing"

// TestPromotedByField: a method that a type of the library has from a field which scripts see is one that they can
// call.
func TestPromotedByField(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("it has no templates")
		}
		box := b.Box(pure())
		for src, want := range map[string]string{
			`t := template.Must(template.New("x").Parse("{{.}}")); fmt.Print(t.Copy().Root, t.Copy() == t.Tree)`: "{{.}} false",
			`fmt.Print(template.New("x").Copy() == nil)`:                                                         "true",
			`f := template.Must(template.New("x").Parse("a")).Copy; fmt.Print(f().Root)`:                         "a",
			`defer func() { fmt.Print(recover()) }(); (*template.Template)(nil).Copy()`:                          "runtime error: invalid memory address or nil pointer dereference",
		} {
			does(b, box, "import \"text/template\"\n"+src, want)
		}
	})
}
