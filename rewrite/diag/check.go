package diag

// The codes of Check. They have numbers of their own range so that the list of
// Parse's codes can grow.
const (
	// Undefined: a name that is declared nowhere.
	// Example: func main() { helper() }
	Undefined Code = iota + 100

	// UndefinedMember: a package, type or value has no such member.
	// Example: func main() { strings.Upper("x") }
	UndefinedMember

	// MissingImport: a file of a package that comes with a script uses a package without importing it. What a
	// script itself leaves out is added. No example: it takes two packages.
	MissingImport

	// UnknownImport: there is no such package.
	// Example: import "stringz"
	UnknownImport

	// UnusedVar: a variable inside a function is not used.
	// Example: func main() { x := 1 }
	UnusedVar

	// Unused: a value or a label goes to waste.
	// Example: func main() { x := 1; x + 1 }
	Unused

	// Redeclared: a name is declared twice in one scope.
	// Example: func f() {}; func f() {}
	Redeclared

	// MissingReturn: a function with results can reach its end.
	// Example: func f() int { }
	MissingReturn

	// WrongType: a value is of the wrong type for its place.
	// Example: var x int = "a"
	WrongType

	// MismatchedTypes: the operands of an operator are of different types.
	// Example: func f(a int, b float64) bool { return a < b }
	MismatchedTypes

	// BadOperand: an operator, conversion, index or the like does not apply to the
	// operand.
	// Example: var x = !1
	BadOperand

	// WrongCount: too many or too few arguments, results or values.
	// Example: func f(int) {}; func main() { f(1, 2) }
	WrongCount

	// MissingMethod: a type does not implement an interface.
	// Example: type T int; var _ error = T(0)
	MissingMethod

	// NotCallable: what is called is not a function.
	// Example: func main() { x := 1; x() }
	NotCallable

	// BadConst: a constant overflows, loses digits or divides by zero.
	// Example: var x int8 = 300
	BadConst

	// NotAType: a type is needed, or a type stands where a value is needed.
	// Example: var n = 1; var x n
	NotAType

	// BadType: a type cannot be as declared.
	// Example: type T map[[]int]string
	BadType

	// BadGeneric: type arguments are missing, too many or do not fit.
	// Example: func f[T any]() {}; func main() { f() }
	BadGeneric

	// Cycle: a declaration refers to itself.
	// Example: type T struct { t T }
	Cycle

	// BadBranch: a break, continue, goto, fallthrough or label out of place.
	// Example: func main() { break }
	BadBranch

	// BadLiteral: a composite literal with wrong keys, fields or elements.
	// Example: var x = []int{0: 1, 0: 2}
	BadLiteral

	// DuplicateCase: two cases of a switch are the same.
	// Example: func f(x int) { switch x { case 1: case 1: } }
	DuplicateCase

	// Unassignable: the left side cannot be assigned to or addressed.
	// Example: func main() { 1 = 2 }
	Unassignable

	// UsedBeforeDeclaration: a statement of a snippet uses a variable that a
	// statement below it declares.
	// Example: y := x; x := 1
	UsedBeforeDeclaration

	// BadProgram: anything else that go/types refuses.
	// Example: func init() int { return 1 }
	BadProgram
)

const (
	// DeniedImport: the policy does not allow the package.
	// Example: import "os/exec"
	DeniedImport Code = iota + 200

	// DeniedMember: the policy does not allow the member.
	// Example: import "os"; func main() { os.Getenv("x") }
	DeniedMember

	// HostWrite: a variable of a host package is assigned to or addressed.
	// Example: import "os"; func main() { os.Stdout = nil }
	HostWrite

	// HiddenFields: a struct of the host whose fields are not all known is written
	// without naming the fields.
	// Example: import "time"; var x = time.Time{1, 2, nil}
	HiddenFields

	// HandleValue: the value of a host type that scripts hold behind a pointer only.
	// Example: import "host"; var h = *host.Open()
	HandleValue

	// InterfaceBypass: an interface of the script has a method that the script could
	// call on values of the host without its gate.
	// Example: type w interface { WriteString(string) (int, error) }; var b strings.Builder; var x w = &b
	InterfaceBypass
)

const (
	// TypeTooLarge: a type takes too much memory, or has too many parts.
	// Example: type A [1 << 20]B; type B [1 << 20]int; var a *A
	TypeTooLarge Code = iota + 250

	// ConstTooLarge: a constant is too long, too large or too small.
	// Example: const x = 1e99999; const y = x * x * x * x
	ConstTooLarge

	// TooComplex: the type check would take too much work.
	// Example: type T[P any] struct{ next *T[*P] }
	TooComplex

	_ // a budget of the check's own, which the run's timeout has taken the place of
)

// checkCodes are the rows of the codes of Check.
var checkCodes = map[Code]codeRow{
	Undefined:             {"Undefined", Type},
	UndefinedMember:       {"UndefinedMember", Type},
	MissingImport:         {"MissingImport", Type},
	UnknownImport:         {"UnknownImport", Type},
	UnusedVar:             {"UnusedVar", Type},
	Unused:                {"Unused", Type},
	Redeclared:            {"Redeclared", Type},
	MissingReturn:         {"MissingReturn", Type},
	WrongType:             {"WrongType", Type},
	MismatchedTypes:       {"MismatchedTypes", Type},
	BadOperand:            {"BadOperand", Type},
	WrongCount:            {"WrongCount", Type},
	MissingMethod:         {"MissingMethod", Type},
	NotCallable:           {"NotCallable", Type},
	BadConst:              {"BadConst", Type},
	NotAType:              {"NotAType", Type},
	BadType:               {"BadType", Type},
	BadGeneric:            {"BadGeneric", Type},
	Cycle:                 {"Cycle", Type},
	BadBranch:             {"BadBranch", Type},
	BadLiteral:            {"BadLiteral", Type},
	DuplicateCase:         {"DuplicateCase", Type},
	Unassignable:          {"Unassignable", Type},
	UsedBeforeDeclaration: {"UsedBeforeDeclaration", Type},
	BadProgram:            {"BadProgram", Type},

	DeniedImport: {"DeniedImport", Denied},
	DeniedMember: {"DeniedMember", Denied},
	HostWrite:    {"HostWrite", Denied},
	HiddenFields: {"HiddenFields", Denied},
	HandleValue:  {"HandleValue", Denied},

	InterfaceBypass: {"InterfaceBypass", Denied},

	TypeTooLarge:  {"TypeTooLarge", Rejected},
	ConstTooLarge: {"ConstTooLarge", Rejected},
	TooComplex:    {"TooComplex", Rejected},
}
