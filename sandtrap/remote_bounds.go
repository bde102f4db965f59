package sandtrap

import (
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// frameLimits are how many bytes a worker may send at a time of what its script may hold: more it cannot return,
// and not give a function of the host. What it prints, and files, come in parts.
func frameLimits(l *gates.Limits) wire.Frames {
	const (
		least = 1 << 20              // what says how values are to be read
		texts = least + wire.MaxText // and those of an error, prints and echoes
	)
	if l.Memory <= 0 || l.Memory > wire.MaxFrame {
		return wire.Frames{}
	}
	return wire.Frames{Outcome: int(l.Memory) + texts + 2*wire.Part, Call: int(l.Memory) + least}
}

// roomOfValues is how many bytes of memory the values may take in all that a worker returns of a run. Some
// take more in its host than in the script: an element of a list is an any of its own.
func roomOfValues(l *gates.Limits) int64 {
	const most, more = 256 << 20, 4
	if l.Memory <= 0 || l.Memory > most/more {
		return most
	}
	return more * l.Memory
}

// tooMuch says that texts of an error are longer than a worker makes them.
func tooMuch(texts ...string) bool {
	const marks = 64 << 10 // says how much was cut off; and names, which are not cut
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n > wire.MaxText+marks
}
