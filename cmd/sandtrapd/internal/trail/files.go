package trail

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A file is one of the record.
type file struct {
	path   string
	number int   // in its name; the newest has none, and comes last
	first  int64 // the number of its first line, which no other file has
	begins time.Time
	size   int64 // up to the end of its last whole line, or more
}

// files are those of the record, oldest first.
func (t *Trail) files() (list []file, err error) {
	names, err := filepath.Glob(filepath.Join(t.dir, fileName) + ".*")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		n, err := strconv.Atoi(strings.TrimPrefix(name, t.path+"."))
		if err == nil && n > 0 {
			list = append(list, file{path: name, number: n})
		}
	}
	slices.SortFunc(list, func(a, b file) int { return a.number - b.number })
	list = append(list, file{path: t.path})
	all := list
	list = nil
	for _, f := range all {
		err := f.look()
		if err == nil {
			list = append(list, f)
		} else if f.path == t.path || !errors.Is(err, fs.ErrNotExist) { // the oldest one may give way meanwhile
			return nil, err
		}
	}
	// While a file begins, the one before it has two names.
	return slices.CompactFunc(list, func(a, b file) bool { return a.first == b.first }), nil
}

// look reads the first line of f.
func (f *file) look() error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	f.size = info.Size()
	head, err := headOf(bufio.NewReader(in))
	f.first, f.begins = head.N, head.Time
	return err
}

// A head is what is needed of a line to find others.
type head struct {
	N    int64     `json:"n"`
	Time time.Time `json:"time"`
}

func headOf(in *bufio.Reader) (h head, err error) {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return h, err
	}
	return h, json.Unmarshal(line, &h)
}

// seek is about where the first line of f is that is not before a time: all lines before low are before it, and none after high is.
func (f *file) seek(at time.Time) (low, high int64, err error) {
	in, err := os.Open(f.path)
	if err != nil {
		return 0, 0, err
	}
	defer in.Close()
	high = f.size
	for high-low > 64<<10 {
		mid, err := lineAt(in, (low+high)/2)
		if err != nil {
			return 0, 0, err
		}
		if mid >= high {
			break
		}
		h, err := headOf(bufio.NewReader(io.NewSectionReader(in, mid, f.size-mid)))
		switch {
		case errors.Is(err, io.EOF): // it is being written
			high = mid
		case err != nil:
			return 0, 0, err
		case h.Time.Before(at):
			low = mid
		default:
			high = mid
		}
	}
	return low, high, nil
}

// lineAt is where the first line begins that does so at an offset or after it.
func lineAt(in *os.File, offset int64) (int64, error) {
	if offset == 0 {
		return 0, nil
	}
	r := bufio.NewReader(io.NewSectionReader(in, offset-1, 1<<62))
	skipped := int64(0)
	for {
		part, err := r.ReadSlice('\n')
		skipped += int64(len(part))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF), err == nil:
			return offset - 1 + skipped, nil
		default:
			return 0, err
		}
	}
}

// lines reads lines, of which each Read gives one at most: who reads by lines has read no further than that.
type lines struct {
	ctx     context.Context
	in      *bufio.Reader
	left    int64
	needles [][]byte

	rest []byte // of the line that is given now
	last int    // bytes of that line
	read int64  // bytes of all lines up to it
	over bool   // all that may be looked at was
}

func newLines(ctx context.Context, in io.Reader, left int64, needles [][]byte) *lines {
	return &lines{ctx: ctx, in: bufio.NewReaderSize(in, 64<<10), left: left, needles: needles}
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next goes to the next line that has all needles. One without an end is being written.
func (l *lines) next() error {
	for n := 0; ; n++ {
		if n%1000 == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if l.read >= l.left {
			l.over = true
			return io.EOF
		}
		line, err := l.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			var more []byte
			line = bytes.Clone(line)
			more, err = l.in.ReadBytes('\n')
			line = append(line, more...)
		}
		if err != nil {
			return io.EOF // with a line that has no end
		}
		l.read += int64(len(line))
		if contains(line, l.needles) {
			l.rest, l.last = line, len(line)
			return nil
		}
	}
}
