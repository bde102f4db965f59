package yaegi

import (
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// unbindable refuses the uses of host functions that cannot have a value here:
// those that need a stack of their own, and instances for types of the script,
// which are no types of the host's.
func unbindable(u *unit, host engine.TypeOf) rewrite.Rejections {
	var out rewrite.Rejections
	for _, b := range u.bindings {
		if b.Path == "iter" && b.Kind == rewrite.BindFunc {
			out = append(out, refusal(u, b.Pos, "run "+b.String()))
			continue
		}
		for _, t := range b.TypeArgs {
			if _, err := host(t); err != nil {
				out = append(out, refusal(u, b.Pos, "use "+b.String()+", which has a type of the script"))
				break
			}
		}
	}
	return out
}
