package strings

import (
	"io"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A Replacer is a strings.Replacer that knows its longest old string: at each byte of a
// text as many may have to be compared.
type Replacer struct {
	r       *strings.Replacer
	longest int
	env     *shim.Env
}

// replacerTable is what a replacer may keep for one of its old strings.
const replacerTable = 4096

func NewReplacer(e *shim.Env) func(...string) *Replacer {
	return func(oldnew ...string) *Replacer {
		e.ChargeProduct(int64(len(oldnew)/2), replacerTable)
		r := &Replacer{env: e}
		for i := 0; i < len(oldnew); i += 2 {
			e.Work(int64(len(oldnew[i])))
			r.longest = max(r.longest, len(oldnew[i]))
		}
		r.r = strings.NewReplacer(oldnew...)
		return r
	}
}

// Replace is that of strings.Replacer.
func (r *Replacer) Replace(s string) string {
	var b strings.Builder
	// The texts a replacer puts in are its own secret, so they are counted as
	// they come. A builder never fails.
	_, _ = r.WriteString(&b, s)
	return b.String()
}

// WriteString is that of strings.Replacer.
func (r *Replacer) WriteString(w io.Writer, s string) (int, error) {
	if r.r == nil { // zero, which replaces nothing
		return io.WriteString(w, s)
	}
	if n := int64(min(r.longest, len(s))); int64(len(s))*(n+8) >= shim.LargeText {
		r.env.WorkProduct(int64(len(s)), n/8+2)
	}
	return r.r.WriteString(r.env.Writer(w), s)
}
