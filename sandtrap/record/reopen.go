package record

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// tailBytes is how much of the end of a file Open reads at least.
const tailBytes = 64 << 10

// goOn finds the end of the chain in the file of l, which is not empty, and repairs it.
func (l *Log) goOn(size int64, signed *Checkpoint) error {
	w, lines, whole, err := l.tail(size, signed)
	switch {
	case err != nil:
		return err
	case whole == 0:
		return l.restart(size, signed)
	}
	l.chain, l.size = w.last, whole
	l.only = lines == 1 && w.first > 0
	if signed != nil {
		if err := w.end(); err != nil {
			return err
		}
		l.signed = signed.Lines
	} else if l.o.Key != nil && w.last.n > 1 {
		return errors.New("it has events and no checkpoint: " + CheckpointFile(l.path) +
			" was removed, or the record was made without a key; move it away to begin another one")
	}
	if whole == size {
		return nil
	}
	if err := l.file.Truncate(whole); err != nil {
		return err
	}
	return l.add(&Event{Time: time.Now(), Kind: KindRepair, Reason: fmt.Sprintf("%d bytes of a line that was not whole are removed", size-whole)})
}

// restart begins a file again of whose first line only a part was written.
func (l *Log) restart(size int64, signed *Checkpoint) error {
	start := make([]byte, min(size, int64(len(recordStart))))
	if _, err := l.file.ReadAt(start, 0); err != nil {
		return err
	}
	if signed != nil || size >= tailBytes || !bytes.HasPrefix([]byte(recordStart), start) {
		return errNotRecord
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	return l.begin(l.file, 1)
}

const recordStart = `{"n":1,"time":"`

var errNotRecord = errors.New("not a record")

// tail checks the last lines of the file, from that of the checkpoint on if there is one. It gives how many they are, and the
// size of the file up to the end of the last whole one, 0 if there is none.
func (l *Log) tail(size int64, signed *Checkpoint) (w *walker, lines int, whole int64, err error) {
	for window := int64(tailBytes); ; window *= 4 {
		start := max(0, size-window)
		text := make([]byte, size-start)
		if _, err := l.file.ReadAt(text, start); err != nil {
			return nil, 0, 0, err
		}
		if start > 0 { // within a line
			skip := bytes.IndexByte(text, '\n') + 1
			text, start = text[skip:], start+int64(skip)
			if skip == 0 {
				text = nil
			}
		}
		end := bytes.LastIndexByte(text, '\n') + 1
		if end == 0 && start > 0 {
			if window > 2*maxLine {
				return nil, 0, 0, errNotRecord
			}
			continue
		}
		w = &walker{signed: signed}
		lines, err = w.lines(text[:end])
		if err != nil {
			return nil, 0, 0, err
		}
		if signed == nil || start == 0 || w.from <= signed.Lines {
			return w, lines, start + int64(end), nil
		}
	}
}

// lines checks lines, each with its end.
func (w *walker) lines(text []byte) (n int, err error) {
	for l := range bytes.Lines(text) {
		if _, err := w.line(l[:len(l)-1]); err != nil {
			return n, fmt.Errorf("the line after number %d: %w", w.last.n, err)
		}
		n++
	}
	return n, nil
}
