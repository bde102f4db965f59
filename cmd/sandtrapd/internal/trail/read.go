package trail

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

const (
	maxScan = 32 << 20 // bytes of files that one page looks at
	maxPage = 4 << 20  // bytes of lines that one page has
)

// slack is how far the times of lines are out of order at most, for all that matters: they are taken before lines are written.
const slack = 10 * time.Second

// ErrCursor is matched by errors about a cursor that no page has given.
var ErrCursor = errors.New("want next_cursor of the page before")

// A Page is events of the record in their order. If there may be more of them Next is where they begin; a page without events may have
// it.
type Page struct {
	Events []record.Event
	Next   string
}

// Read reads up to limit events that match q, from a cursor on. Without one it begins with the oldest event, or with q.Since. It looks at
// a bounded part of the record, so it takes a bounded time. An empty q.Tenant is for all tenants.
func (t *Trail) Read(ctx context.Context, q record.Query, cursor string, limit int) (page *Page, err error) {
	select {
	case t.scans <- struct{}{}:
		defer func() { <-t.scans }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	list, err := t.files()
	if err != nil {
		return nil, err
	}
	at, err := start(list, &q, cursor)
	if err != nil {
		return nil, err
	}
	r := &reading{ctx: ctx, q: q, limit: limit, left: maxScan, page: &Page{Events: []record.Event{}}}
	for at.file < len(list) {
		full, err := r.file(&list[at.file], &at)
		if err != nil {
			return nil, err
		}
		if full {
			r.page.Next = list[at.file].cursor(at.offset)
			break
		}
		at = position{file: at.file + 1}
	}
	return r.page, nil
}

// A position is a line of the record: where it begins in one of its files.
type position struct {
	file   int
	offset int64
}

// start is where a query begins to read.
func start(list []file, q *record.Query, cursor string) (at position, err error) {
	if cursor != "" {
		return find(list, cursor)
	}
	if q.Since.IsZero() {
		return at, nil
	}
	from := q.Since.Add(-slack)
	for i := range list {
		if i > 0 && list[i].begins.After(from) {
			break
		}
		at.file = i
	}
	at.offset, _, err = list[at.file].seek(from)
	return at, err
}

func (f *file) cursor(offset int64) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", f.first, offset))
}

// find is the position of a cursor. If its file is not kept any more it is the oldest line.
func find(list []file, cursor string) (at position, err error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return at, ErrCursor
	}
	var first int64
	if n, err := fmt.Sscanf(string(text), "%d.%d", &first, &at.offset); err != nil || n != 2 || first < 1 || at.offset < 0 {
		return at, ErrCursor
	}
	for i := range list {
		switch {
		case list[i].first == first && at.offset <= list[i].size:
			at.file = i
			return at, nil
		case list[i].first > first:
			return position{file: i}, nil
		}
	}
	return at, ErrCursor
}

// A reading is one page that is being read.
type reading struct {
	ctx   context.Context
	q     record.Query
	limit int
	left  int64 // bytes to look at
	size  int   // bytes of lines in page
	page  *Page
}

var errFull = errors.New("the page is full")

// file reads a file from a position on, which is moved. It is true if the page is full.
func (r *reading) file(f *file, at *position) (full bool, err error) {
	in, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) { // it gave way in between
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer in.Close()
	if at.offset, err = lineAt(in, at.offset); err != nil {
		return false, err
	}
	end := f.size
	if !r.q.Until.IsZero() {
		if _, end, err = f.seek(r.q.Until.Add(slack)); err != nil {
			return false, err
		}
	}
	lines := newLines(r.ctx, io.NewSectionReader(in, at.offset, max(0, end-at.offset)), r.left, needles(&r.q))
	err = r.q.Read(lines, func(e record.Event) error {
		r.page.Events = append(r.page.Events, e)
		if r.size += lines.last; r.size >= maxPage || len(r.page.Events) == r.limit {
			return errFull
		}
		return nil
	})
	at.offset += lines.read
	r.left -= lines.read
	if errors.Is(err, errFull) || err == nil && lines.over {
		return true, nil
	}
	return false, errors.Join(err, r.ctx.Err())
}

// plain are texts that JSON has as they are.
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9._-]+$`) })

// needles are texts that each line which matches q has: others are not decoded.
func needles(q *record.Query) (list [][]byte) {
	for key, value := range map[string]string{"tenant": q.Tenant, "session": q.Session, "run": q.Run} {
		if plain().MatchString(value) {
			list = append(list, fmt.Appendf(nil, "%q:%q", key, value))
		}
	}
	return list
}

// contains reports that a line has all needles.
func contains(line []byte, needles [][]byte) bool {
	for _, n := range needles {
		if !bytes.Contains(line, n) {
			return false
		}
	}
	return true
}
