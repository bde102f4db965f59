package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Options of a Log. The zero Options are good: 64 MiB a file, all files kept, no checkpoints.
type Options struct {
	// MaxBytes is the size at which a new file begins: that at the path is renamed to PATH.1, PATH.2 and so on, oldest first.
	// Zero is 64 MiB. A file is longer only if it has one event.
	MaxBytes int64
	Keep     int       // how many renamed files are kept; zero keeps all
	Redact   *Redactor // nil is the zero Redactor
	Sync     bool      // each event is on the disk when Write returns

	// Key signs checkpoints, which go to PATH.checkpoint: when the record begins, after each Every lines (zero is 1000), before a new
	// file, and when it is closed. Lines after the last checkpoint, at most Every of a process that was killed, can be cut off unseen.
	Key   *Key
	Every int

	// Publish gets each checkpoint too, as a signed note, with Key only. Who can change the record and PATH.checkpoint can
	// put both back to an earlier state; a checkpoint kept elsewhere shows that. An error is one of Write. It must not
	// call the Log.
	Publish func(checkpoint []byte) error
}

const (
	defaultMaxBytes = 64 << 20
	defaultEvery    = 1000
)

// ErrClosed is matched by errors of writes after Close.
var ErrClosed = errors.New("the record is closed")

var errReserved = errors.New("an event needs a kind, and those of the Log itself are not for others")

// A Log is a Sink that appends to a file.
type Log struct {
	path string
	o    Options

	mu     sync.Mutex
	file   *os.File
	size   int64 // of file
	only   bool  // file has nothing but its first line
	chain  chain // of the last line
	signed int64 // how many lines the last checkpoint covers
	coder  coder
	err    error // of the first write that failed, or ErrClosed
}

// Open opens the record at path for more events, or makes it, with mode 0600. Lines go on from those that are there. A last
// line that is not whole, because the process or the machine stopped, is removed, and an event of KindRepair tells of it.
//
// It is an error if another Log has the record open, in this process or another one, on systems with flock; if the end of the
// file is not that of a record; with a Key, also if the checkpoint does not fit, or is missing for a record that has events.
func Open(path string, o Options) (*Log, error) {
	path, err := filepath.Abs(path) // it is used again when a new file begins
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	l := &Log{path: path, o: o}
	if l.o.MaxBytes <= 0 {
		l.o.MaxBytes = defaultMaxBytes
	}
	if l.o.Every <= 0 {
		l.o.Every = defaultEvery
	}
	if err := l.open(); err != nil {
		if l.file != nil {
			_ = l.file.Close() // it is the error that is told
		}
		return nil, fmt.Errorf("record: %s: %w", path, err)
	}
	return l, nil
}

// Write appends e, redacted, as one line, by one call of the system. Texts of more than 8 KiB are cut, and arguments of more than
// 256 KiB omitted. After an error the record takes no more events: each later Write gives that error. It is safe for concurrent use.
func (l *Log) Write(e Event) error {
	e.Args = boundArgs(e.Args) // what is too long is not searched
	e = l.o.Redact.Event(e).bounded()
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		err := errReserved
		if e.Kind != "" && e.Kind != KindFile && e.Kind != KindRepair {
			err = l.add(&e)
		}
		if err != nil {
			l.err = fmt.Errorf("record: %s: %w", l.path, err)
		}
	}
	return l.err
}

func (l *Log) add(e *Event) error {
	text, next, err := l.coder.encode(l.chain, e, 0)
	if err != nil {
		return err
	}
	if l.size+int64(len(text)) > l.o.MaxBytes && !l.only {
		if err := l.rotate(); err != nil {
			return err
		}
		if text, next, err = l.coder.encode(l.chain, e, 0); err != nil {
			return err
		}
	}
	return l.append(text, next)
}

// append writes a line after which the chain is next.
func (l *Log) append(text []byte, next chain) error {
	if _, err := l.file.Write(text); err != nil {
		// So that each line is whole, if the system lets it: the error is that of the write.
		_ = l.file.Truncate(l.size)
		return err
	}
	l.size += int64(len(text))
	l.chain, l.only = next, false
	if l.o.Sync {
		if err := l.file.Sync(); err != nil {
			return err
		}
	}
	if l.chain.n-l.signed >= int64(l.o.Every) {
		return l.checkpoint()
	}
	return nil
}

// Sync waits until all events are on the disk. It is safe for concurrent use.
func (l *Log) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	if err := l.file.Sync(); err != nil {
		l.err = fmt.Errorf("record: %w", err)
	}
	return l.err
}

// Close signs the last checkpoint, waits until all is on the disk, and closes the file. It is an error if a write has failed
// before. It is safe for concurrent use; a second Close gives an error.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(l.err, ErrClosed) {
		return l.err
	}
	err := l.err
	if err == nil {
		err = errors.Join(l.checkpoint(), l.file.Sync())
	}
	l.err = fmt.Errorf("record: %s: %w", l.path, ErrClosed)
	return errors.Join(err, l.file.Close())
}
