package record

import (
	"encoding/hex"
	"fmt"
)

// A walker checks lines in their order.
type walker struct {
	coder  coder
	last   chain // of the last line; n is 0 before the first
	any    bool  // there was a line
	from   int64 // the number of the first line
	first  int64 // the line with which the oldest file began when the newest did
	signed *Checkpoint
}

// line checks the next line, without its end.
func (w *walker) line(text []byte) (line, error) {
	l, from, to, err := w.coder.parse(text)
	switch {
	case err != nil:
		return l, err
	case w.any && l.N != w.last.n+1:
		return l, fmt.Errorf("it is number %d, and comes after number %d", l.N, w.last.n)
	case w.any && from != w.last:
		return l, fmt.Errorf("it does not continue the line before, whose hash is %s", hex.EncodeToString(w.last.sum[:]))
	case l.N == 1 && from != chain{}:
		return l, fmt.Errorf("it is number 1, and continues another line")
	case l.Kind == KindFile && (l.First < 1 || l.First > l.N):
		return l, fmt.Errorf("a file cannot begin with line %d when the oldest one begins with line %d", l.N, l.First)
	}
	if !w.any {
		w.any, w.from = true, l.N
		if err := w.atCheckpoint(from); err != nil {
			return l, err
		}
	}
	w.last = to
	if l.Kind == KindFile {
		w.first = l.First
	}
	return l, w.atCheckpoint(to)
}

// atCheckpoint fails if the checkpoint is about the line that c is the state after, and has another hash.
func (w *walker) atCheckpoint(c chain) error {
	if s := w.signed; s != nil && s.Lines == c.n && s.Hash != c.sum {
		return fmt.Errorf("the checkpoint signs another line %d", c.n)
	}
	return nil
}

// end checks that the lines reach the checkpoint.
func (w *walker) end() error {
	switch s := w.signed; {
	case s == nil:
		return nil
	case s.Lines > w.last.n:
		return fmt.Errorf("lines are cut off: the last one is number %d, and the checkpoint signs %d", w.last.n, s.Lines)
	case s.Lines < w.from-1:
		return fmt.Errorf("the checkpoint signs line %d, and the first line is number %d", s.Lines, w.from)
	}
	return nil
}
