package wire

import "github.com/sandtrap-go/sandtrap/isolate/posture"

// Part is how many bytes of a file, or of what a script prints, a worker sends at a time. What frames of that
// take both ends keep from one to the next; with 1 MiB, for which they do not, a file of that size takes
// a sixth longer.
const Part = 128 << 10

const (
	tiny  = 4 << 10  // a frame that is held whatever it is
	plain = 64 << 10 // one that says no more than it has to
	parts = Part + plain
)

// A frameBound is how many bytes frames of a kind may have, and calls of a name; none is for all others of
// the kind.
type frameBound struct {
	kind Kind
	name string
	most func(posture.Frames) int
	why  string
}

var frameBounds = []frameBound{
	{Outcome, "", func(f posture.Frames) int { return orMax(f.Outcome) }, "what the policy lets a run return"},
	{Answer, "", func(f posture.Frames) int { return orMax(f.Call) }, "results of a function of the script"},
	{Call, CallFile, fixed(parts), "files are read and written in parts"},
	{Call, CallPrint, fixed(parts), "and so is what is printed"},
	{Call, CallAhead, fixed(parts), "likewise"},
	{Call, CallSave, fixed(parts), "a session is saved in parts"},
	{Call, "request", fixed(parts), "bodies of HTTP requests are sent in parts; the name is that of sandtrap/internal/network"},
	{Call, CallStdin, fixed(plain), "it says how much is wanted"},
	{Call, CallLoad, fixed(plain), "likewise"},
	{Call, "", func(f posture.Frames) int { return orMax(f.Call) }, "arguments of a function of the host"},
	{Stream, "", fixed(plain), "an event has 32 KiB of text at most"},
}

func fixed(n int) func(posture.Frames) int { return func(posture.Frames) int { return n } }

func orMax(n int) int {
	if n <= 0 || n > MaxFrame {
		return MaxFrame
	}
	return n
}

// Most is how many bytes a frame of a worker may have. What is in no row says little.
func Most(f posture.Frames, kind Kind, name string) int {
	for _, b := range frameBounds {
		if b.kind == kind && (b.name == "" || b.name == name) {
			return b.most(f)
		}
	}
	return plain
}

// peekHead is how many bytes of a frame tell its kind and its name.
const peekHead = maxString + 64

// headOf reads kind and name at the beginning of a message, as Encode writes it; zero where it is none.
func headOf(data []byte) (kind Kind, name string) {
	s := &scale{data: data}
	major, n, ok := s.head()
	for ; ok && major == 5 && n > 0; n-- {
		of, key, _ := s.head()
		m, v, ok := s.head()
		switch {
		case !ok || of != 0 || key > 3:
			return kind, name
		case key == 1 && m == 0:
			kind = Kind(v)
		case key == 3 && m == 3:
			return kind, string(s.data[:min(v, uint64(len(s.data)))])
		case m != 0:
			return kind, name
		}
	}
	return kind, name
}
