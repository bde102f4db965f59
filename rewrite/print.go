package rewrite

import (
	"bytes"
	"go/printer"
)

// Text is the lowered program as Go source. It compiles against a gate package
// that declares the fixed gates and the bindings.
func (p *Program) Text() string {
	var b bytes.Buffer
	cfg := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	for _, f := range p.files {
		if err := cfg.Fprint(&b, p.fset, f); err != nil {
			return "// " + err.Error() + "\n"
		}
	}
	return b.String()
}
