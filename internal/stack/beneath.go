package stack

import "runtime"

// Beneath reports that the calling goroutine is in a call of a function whose name ends so. It goes
// through the whole stack: ask only where something went wrong.
func Beneath(name string) bool {
	pcs := make([]uintptr, 256)
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			if f, more = frames.Next(); endsIn(f.Function, name) {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

// endsIn is strings.HasSuffix: to import strings would let workers begin late (package early).
func endsIn(text, end string) bool {
	return len(text) >= len(end) && text[len(text)-len(end):] == end
}
