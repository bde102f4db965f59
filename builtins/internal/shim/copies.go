package shim

// Some functions keep copies of a text of which their results show nothing: an error quotes it, or
// a receiver has a part of it. The rows of those are made by what is below: the copies are asked
// for before, as many as there can be at most.

// shortCopy is how long a text may be whose copies are within what an engine counts of a result.
const shortCopy = 48

// PayCopies asks for so many copies of a text of size bytes.
func (e *Env) PayCopies(copies, size int) {
	if size > shortCopy {
		e.ChargeProduct(int64(copies), int64(size))
	}
}

// Reading is for methods that read their receiver from a text, and take rate nanoseconds for each
// byte.
func Reading[A any](rate, copies int, f func(A, []byte) error) func(*Env) func(A, []byte) error {
	return func(e *Env) func(A, []byte) error {
		return func(a A, text []byte) error {
			e.PayText(rate, len(text))
			e.PayCopies(copies, len(text))
			return f(a, text)
		}
	}
}

// Parsing is for functions that make a value of a text.
func Parsing[A Text, R any](rate, copies int, f func(A) (R, error)) func(*Env) func(A) (R, error) {
	return func(e *Env) func(A) (R, error) {
		return func(a A) (R, error) {
			e.PayText(rate, len(a))
			e.PayCopies(copies, len(a))
			return f(a)
		}
	}
}

// MustParse is parsing for functions that panic with the error.
func MustParse[R any](rate, copies int, f func(string) (R, error)) func(*Env) func(string) R {
	return func(e *Env) func(string) R {
		parse := Parsing(rate, copies, f)(e)
		return func(s string) R {
			r, err := parse(s)
			if err != nil {
				panic(err)
			}
			return r
		}
	}
}
