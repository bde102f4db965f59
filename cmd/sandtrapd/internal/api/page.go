package api

import (
	"encoding/base64"
	"strconv"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// pageParameters are those of a list.
func pageParameters() []parameter {
	return []parameter{{"limit", "how many, 1 to 200; 50"}, {"cursor", "next_cursor of the page before"}}
}

// cursor is what a client sees of the last row of a page; empty if there is no other page.
func cursor(seq int64) string {
	if seq == 0 {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, seq, 10))
}

// limit is how many entries a page has.
func (c *call) limit() (int, error) {
	text := c.q.URL.Query().Get("limit")
	if text == "" {
		return 50, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 200 {
		return 0, problem.New(problem.Invalid, "limit: want 1 to 200").About("limit")
	}
	return n, nil
}

// page reads which page of a list is asked for.
func (c *call) page() (limit int, before int64, err error) {
	if limit, err = c.limit(); err != nil {
		return 0, 0, err
	}
	if text := c.q.URL.Query().Get("cursor"); text != "" {
		number, err := base64.RawURLEncoding.DecodeString(text)
		if err == nil {
			before, err = strconv.ParseInt(string(number), 10, 64)
		}
		if err != nil || before < 1 {
			return 0, 0, problem.New(problem.Invalid, "cursor: want next_cursor of the page before").About("cursor")
		}
	}
	return limit, before, nil
}
