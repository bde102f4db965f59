package abi

// BindingKind says what a binding stands for, and so what shape it has in
// lowered code. For a host type T of package p:
type BindingKind int

const (
	BindFunc        BindingKind = iota // p.F: __st.B0 is the function itself
	BindVar                            // p.V: __st.B0 is func() V, which reads it; with Pointer func() *V, where the variable is the run's own
	BindMethod                         // v.M: __st.B0 is func(recv, params) results, as the method expression T.M, (*T).M or I.M
	BindField                          // v.F: __st.B0 is func(*T) *F; selected through a value that is not addressable: func(T) F
	BindInput                          // an input: __st.B0 is func() T
	BindType                           // p.T: the name T of p's mirror; has no B number in code
	BindConst                          // p.C: folded into a literal; listed so that the section is complete
	BindMethodValue                    // v.M not called: __st.B0 is func(recv) func(params) results, which keeps its receiver
)

func (k BindingKind) String() string {
	return [...]string{"func", "var", "method", "field", "input", "type", "const", "method value"}[k]
}
