package shim

// Some functions take far longer for each byte of a text than it takes to look at it,
// and cannot be interrupted. Their rows are made by what is below: of a large text the
// time is asked for before. A rate is in nanoseconds for a byte, of the text that takes
// the function longest, and then some.

type Text interface {
	~string | ~[]byte | ~[]uint16 | ~[]rune
}

// PayText asks for the time of a function that takes rate nanoseconds for each of size
// bytes.
func (e *Env) PayText(rate, size int) {
	if size >= LargeText {
		e.Work(int64(size) * int64(rate) / TickTime)
	}
}

// TickTime is how many nanoseconds of work count as a tick.
const TickTime = 10

// Slow is for functions of one text.
func Slow[A Text, R any](rate int, f func(A) R) func(*Env) func(A) R {
	return func(e *Env) func(A) R {
		return func(a A) R {
			e.PayText(rate, len(a))
			return f(a)
		}
	}
}

// SlowPair is slow for two results.
func SlowPair[A Text, R, S any](rate int, f func(A) (R, S)) func(*Env) func(A) (R, S) {
	return func(e *Env) func(A) (R, S) {
		return func(a A) (R, S) {
			e.PayText(rate, len(a))
			return f(a)
		}
	}
}

// SlowFirst is slow for the first of two parameters.
func SlowFirst[A Text, B, R any](rate int, f func(A, B) R) func(*Env) func(A, B) R {
	return func(e *Env) func(A, B) R {
		return func(a A, b B) R {
			e.PayText(rate, len(a))
			return f(a, b)
		}
	}
}

// SlowFirstPair is SlowFirst for two results, of which the error keeps a copy.
func SlowFirstPair[A Text, B, R, S any](rate int, f func(A, B) (R, S)) func(*Env) func(A, B) (R, S) {
	return func(e *Env) func(A, B) (R, S) {
		return func(a A, b B) (R, S) {
			e.PayText(rate, len(a))
			e.PayCopies(1, len(a))
			return f(a, b)
		}
	}
}

// SlowLast is slow for the second of two parameters.
func SlowLast[A any, B Text, R any](rate int, f func(A, B) R) func(*Env) func(A, B) R {
	return func(e *Env) func(A, B) R {
		return func(a A, b B) R {
			e.PayText(rate, len(b))
			return f(a, b)
		}
	}
}

// SlowLastPair is SlowLast for two results.
func SlowLastPair[A any, B Text, R, S any](rate int, f func(A, B) (R, S)) func(*Env) func(A, B) (R, S) {
	return func(e *Env) func(A, B) (R, S) {
		return func(a A, b B) (R, S) {
			e.PayText(rate, len(b))
			return f(a, b)
		}
	}
}

// SlowThirdPair is SlowLastPair for three parameters.
func SlowThirdPair[A, B any, C Text, R, S any](rate int, f func(A, B, C) (R, S)) func(*Env) func(A, B, C) (R, S) {
	return func(e *Env) func(A, B, C) (R, S) {
		return func(a A, b B, c C) (R, S) {
			e.PayText(rate, len(c))
			return f(a, b, c)
		}
	}
}

// SlowNumber is for functions that read a number of a base and size. Their errors keep a copy.
func SlowNumber[R any](rate int, f func(string, int, int) (R, error)) func(*Env) func(string, int, int) (R, error) {
	return func(e *Env) func(string, int, int) (R, error) {
		return func(s string, base, bits int) (R, error) {
			e.PayText(rate, len(s))
			e.PayCopies(1, len(s))
			return f(s, base, bits)
		}
	}
}

// Splitting makes up to 16 or 24 bytes out of one: more than a limit leaves room
// for if the text is large. The pieces of a small one are not worth the counting.
const LargeText = 64 << 10

const (
	StringHeader = 16
	SliceHeader  = 24
)

// Quoted is how many bytes a quoted byte may take: \x00.
const (
	Quoted    = 4
	QuoteRate = 25
)

// CopyRate is a rate for PayText: what is copied goes to new memory.
const CopyRate = 1

// ChargeAppend charges for what dst grows by when n bytes are appended.
func (e *Env) ChargeAppend(dst []byte, n int) {
	if n > cap(dst)-len(dst) {
		e.Charge(2 * (int64(cap(dst)) + int64(n)))
	}
}

// compareStep is how many steps of comparing pass between two looks for a stop.
const compareStep = 1 << 14

// Stepped counts n steps, of some tens of nanoseconds each.
func (e *Env) Stepped(n int) {
	if e.steps += n; e.steps >= compareStep {
		e.steps = 0
		e.Check()
	}
}
