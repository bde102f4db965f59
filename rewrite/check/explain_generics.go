package check

import (
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// explainConstraint is about a constraint that stands where a type does.
func explainConstraint(_ *checker, e typeError, r *diag.Rejection) {
	_, rest, ok := strings.Cut(e.Msg, "cannot use type ")
	if name, _, found := strings.Cut(rest, " "); ok && found {
		r.Hint = "use it as a constraint, as in func f[T " + name + "](x T); a variable needs one of its types"
	}
}

// explainTypeArgs is about a generic type or function with too few or too many type
// arguments.
func explainTypeArgs(_ *checker, e typeError, r *diag.Rejection) {
	r.Hint = "write one type argument for each type parameter"
	_, rest, ok := strings.Cut(e.Msg, "cannot use generic type ")
	if name, _, found := strings.Cut(rest, "["); ok && found {
		r.Hint = "write its type arguments, as in " + name + "[int]"
	}
}

// operatorOfConstraint is what a type parameter has to be declared with for the operator that
// msg says it lacks; "" if msg says no such thing.
func operatorOfConstraint(msg string) string {
	switch {
	case strings.Contains(msg, "cannot use operator"):
		return "write the constraint cmp.Ordered instead of any"
	case strings.Contains(msg, "incomparable types in type set"):
		return "write the constraint comparable instead of any"
	case strings.Contains(msg, " constrained by "):
		return "write a constraint that lists types, such as interface{ ~int | ~float64 }, instead of any"
	}
	return ""
}

// explainDynamic is about a switch over the type of what is no interface.
func explainDynamic(_ *checker, e typeError, r *diag.Rejection) {
	r.Hint = "only interfaces have dynamic types"
	if x, _, ok := strings.Cut(e.Msg, " ("); ok {
		r.Hint += ": any(" + x + ").(type)"
	}
}
