package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Query says which runs a list has.
type Query struct {
	Tenant string // empty for all
	States []State
	Text   string // in the source, whatever the case of letters; at most MaxQueryText bytes
	Since  time.Time
	Before int64 // the Seq of the last run of the page before; 0 for the first page
	Limit  int
}

const (
	// HeadBytes is how much of Code the runs of a list have at least, in bytes, if there is as much.
	HeadBytes = 4 << 10

	// MaxQueryText bounds the text of a query, in bytes.
	MaxQueryText = 200
)

// maxSearched bounds the sources that one page looks at for a text, in bytes, but for the last one. Tests set another one.
var maxSearched = 32 << 20

// ErrQuery is matched by errors about a query that is malformed.
var ErrQuery = errors.New("malformed query")

// Runs lists runs, the newest first. If there may be more of them next is the Before of their page. A page has looked at a bounded number
// of bytes, so one that looks for a text may have fewer runs than Limit, or none, and a next one.
func (s *Store) Runs(ctx context.Context, q Query) (list []*Run, next int64, err error) {
	if q.Text != "" {
		return s.search(ctx, q)
	}
	err = s.each(ctx, q, fmt.Sprintf("substr(code, 1, %d)", HeadBytes), q.Limit, func(r *Run) bool {
		list = append(list, r)
		return true
	})
	if len(list) > 0 && len(list) == q.Limit {
		next = list[len(list)-1].Seq
	}
	return list, next, err
}

// search looks for a text, for a few at a time: others read meanwhile.
func (s *Store) search(ctx context.Context, q Query) (list []*Run, next int64, err error) {
	if len(q.Text) > MaxQueryText {
		return nil, 0, fmt.Errorf("%w: the text has %d bytes; want at most %d", ErrQuery, len(q.Text), MaxQueryText)
	}
	select {
	case s.searches <- struct{}{}:
		defer func() { <-s.searches }()
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	text, left := strings.ToLower(q.Text), maxSearched
	err = s.each(ctx, q, "code", -1, func(r *Run) bool {
		left -= len(r.Code) + HeadBytes
		if strings.Contains(strings.ToLower(r.Code), text) {
			r.Code = strings.Clone(r.Code[:min(len(r.Code), HeadBytes)])
			list = append(list, r)
		}
		if len(list) < q.Limit && left > 0 {
			return true
		}
		next = r.Seq
		return false
	})
	return list, next, err
}

// each calls a func with runs that match, but for the text, until it is false. code is what they have of their source.
func (s *Store) each(ctx context.Context, q Query, code string, limit int, f func(*Run) bool) error {
	where, args := []string{"TRUE"}, []any{}
	add := func(cond string, values ...any) { where, args = append(where, cond), append(args, values...) }
	if q.Tenant != "" {
		add("tenant = ?", q.Tenant)
	}
	if len(q.States) > 0 {
		marks := strings.TrimSuffix(strings.Repeat("?,", len(q.States)), ",")
		var values []any
		for _, state := range q.States {
			values = append(values, state)
		}
		add("state IN ("+marks+")", values...)
	}
	if !q.Since.IsZero() {
		add("created >= ?", nanoseconds(q.Since))
	}
	if q.Before > 0 {
		add("seq < ?", q.Before)
	}
	text := strings.Replace(columns, " code,", " "+code+",", 1)
	rows, err := s.read.QueryContext(ctx, `SELECT `+text+` FROM run WHERE `+strings.Join(where, " AND ")+` ORDER BY seq DESC LIMIT ?`, append(args, limit)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r Run
		if err := r.scan(rows.Scan); err != nil {
			return err
		}
		if !f(&r) {
			break
		}
	}
	return rows.Err()
}

// The first and the last time in nanoseconds that fit 64 bits.
var minTime, maxTime = time.Unix(0, -1<<63), time.Unix(0, 1<<63-1)

// nanoseconds is a time in Unix time, or the nearest one that fits.
func nanoseconds(t time.Time) int64 {
	switch {
	case t.Before(minTime):
		return -1 << 63
	case t.After(maxTime):
		return 1<<63 - 1
	}
	return t.UnixNano()
}
