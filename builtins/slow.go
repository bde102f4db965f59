package builtins

// Some functions take far longer for each byte of a text than it takes to look at it,
// and cannot be interrupted. Their rows are made by what is below: of a large text the
// time is asked for before. A rate is in nanoseconds for a byte, of the text that takes
// the function longest, and then some.

type text interface {
	~string | ~[]byte | ~[]uint16 | ~[]rune
}

// payText asks for the time of a function that takes rate nanoseconds for each of size
// bytes.
func (e *Env) payText(rate, size int) {
	if size >= largeText {
		e.work(int64(size) * int64(rate) / tickTime)
	}
}

// tickTime is how many nanoseconds of work count as a tick.
const tickTime = 10

// slow is for functions of one text.
func slow[A text, R any](rate int, f func(A) R) func(*Env) func(A) R {
	return func(e *Env) func(A) R {
		return func(a A) R {
			e.payText(rate, len(a))
			return f(a)
		}
	}
}

// slowPair is slow for two results.
func slowPair[A text, R, S any](rate int, f func(A) (R, S)) func(*Env) func(A) (R, S) {
	return func(e *Env) func(A) (R, S) {
		return func(a A) (R, S) {
			e.payText(rate, len(a))
			return f(a)
		}
	}
}

// slowFirst is slow for the first of two parameters.
func slowFirst[A text, B, R any](rate int, f func(A, B) R) func(*Env) func(A, B) R {
	return func(e *Env) func(A, B) R {
		return func(a A, b B) R {
			e.payText(rate, len(a))
			return f(a, b)
		}
	}
}

// slowFirstPair is slowFirst for two results, of which the error keeps a copy.
func slowFirstPair[A text, B, R, S any](rate int, f func(A, B) (R, S)) func(*Env) func(A, B) (R, S) {
	return func(e *Env) func(A, B) (R, S) {
		return func(a A, b B) (R, S) {
			e.payText(rate, len(a))
			e.payCopies(1, len(a))
			return f(a, b)
		}
	}
}

// slowLast is slow for the second of two parameters.
func slowLast[A any, B text, R any](rate int, f func(A, B) R) func(*Env) func(A, B) R {
	return func(e *Env) func(A, B) R {
		return func(a A, b B) R {
			e.payText(rate, len(b))
			return f(a, b)
		}
	}
}

// slowLastPair is slowLast for two results.
func slowLastPair[A any, B text, R, S any](rate int, f func(A, B) (R, S)) func(*Env) func(A, B) (R, S) {
	return func(e *Env) func(A, B) (R, S) {
		return func(a A, b B) (R, S) {
			e.payText(rate, len(b))
			return f(a, b)
		}
	}
}

// slowThirdPair is slowLastPair for three parameters.
func slowThirdPair[A, B any, C text, R, S any](rate int, f func(A, B, C) (R, S)) func(*Env) func(A, B, C) (R, S) {
	return func(e *Env) func(A, B, C) (R, S) {
		return func(a A, b B, c C) (R, S) {
			e.payText(rate, len(c))
			return f(a, b, c)
		}
	}
}

// slowNumber is for functions that read a number of a base and size. Their errors keep a copy.
func slowNumber[R any](rate int, f func(string, int, int) (R, error)) func(*Env) func(string, int, int) (R, error) {
	return func(e *Env) func(string, int, int) (R, error) {
		return func(s string, base, bits int) (R, error) {
			e.payText(rate, len(s))
			e.payCopies(1, len(s))
			return f(s, base, bits)
		}
	}
}

// Splitting makes up to 16 or 24 bytes out of one: more than a limit leaves room
// for if the text is large. The pieces of a small one are not worth the counting.
const largeText = 64 << 10

const (
	stringHeader = 16
	sliceHeader  = 24
)

// quoted is how many bytes a quoted byte may take: \x00.
const (
	quoted    = 4
	quoteRate = 25
)

// copyRate is a rate for payText: what is copied goes to new memory.
const copyRate = 1

// chargeAppend charges for what dst grows by when n bytes are appended.
func (e *Env) chargeAppend(dst []byte, n int) {
	if n > cap(dst)-len(dst) {
		e.charge(2 * (int64(cap(dst)) + int64(n)))
	}
}

// compareStep is how many steps of comparing pass between two looks for a stop.
const compareStep = 1 << 14

// stepped counts n steps, of some tens of nanoseconds each.
func (e *Env) stepped(n int) {
	if e.steps += n; e.steps >= compareStep {
		e.steps = 0
		e.check()
	}
}
