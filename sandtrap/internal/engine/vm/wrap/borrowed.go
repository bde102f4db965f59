package wrap

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// What code of the host gives a method of a script for the time of the call is often the process's: a buffer out of
// a pool, the bytes of a line's end, what a call of fmt works with. A script may keep it for later. So it has a
// copy of bytes, and what stands for a state of fmt is good for nothing after the call.

// ownCopy is v for a method of the script: bytes and attributes are copied.
func ownCopy(m *exec.Machine, v any) any {
	switch v := v.(type) {
	case []byte:
		if v != nil {
			own := newBytes(m, len(v))
			copy(own, v)
			return own
		}
	case []slog.Attr:
		m.Charge(int64(len(v)) * attrBytes)
		return slices.Clone(v)
	}
	return v
}

const attrBytes = 40

// newBytes are n new ones for the script.
func newBytes(m *exec.Machine, n int) []byte {
	m.Alloc(int64(n))
	b := make([]byte, n)
	if n > 0 {
		exec.Follow(m, &b[0])
	}
	return b
}

// read calls a method that reads into p, and sees nothing of what is in it.
func (w *plainVal) read(name string, p []byte, more ...any) (int, error) {
	var own []byte
	n, err := get2[int, error](w.callWith(name, func() []any {
		own = newBytes(w.m, len(p))
		return append([]any{own}, more...)
	}))
	copy(p, own[:max(0, min(n, len(own)))])
	return n, err
}

// change calls a method that changes dst.
func (w *plainVal) change(name string, dst []byte, more any) {
	own := dst
	w.callWith(name, func() []any {
		own = ownCopy(w.m, dst).([]byte)
		return []any{own, ownCopy(w.m, more)}
	})
	copy(dst, own)
}

// A borrowedScan is the state of a call of fmt while Scan of a script is called.
type borrowedScan struct{ fmt.ScanState }

func (b *borrowedScan) giveBack() { b.ScanState = endedScan{} }

// Token gives the script bytes of its own.
func (b *borrowedScan) Token(skipSpace bool, f func(rune) bool) ([]byte, error) {
	token, err := b.ScanState.Token(skipSpace, f)
	return slices.Clone(token), err
}

type endedScan struct{}

func (endedScan) ReadRune() (rune, int, error)                { return 0, 0, printer.ErrEndedState }
func (endedScan) UnreadRune() error                           { return printer.ErrEndedState }
func (endedScan) SkipSpace()                                  {}
func (endedScan) Token(bool, func(rune) bool) ([]byte, error) { return nil, printer.ErrEndedState }
func (endedScan) Width() (int, bool)                          { return 0, false }
func (endedScan) Read([]byte) (int, error)                    { return 0, printer.ErrEndedState }
