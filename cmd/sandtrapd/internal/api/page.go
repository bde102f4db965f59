package api

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// pageParameters are those of a list.
func pageParameters() []parameter {
	return []parameter{{"limit", "how many, 1 to 200; 50"}, {"cursor", "next_cursor of the page before"}}
}

// checkQuery is an error if the query has a parameter that the route does not have, or has one twice: a filter that is not heeded would
// show more than was asked for.
func (c *call) checkQuery() error {
	if c.route.role == "" { // such as probes, which have some to get past caches
		return nil
	}
	values, err := url.ParseQuery(c.q.URL.RawQuery)
	if err != nil {
		return problem.New(problem.Invalid, "the query: "+err.Error())
	}
	var names []string
	for _, p := range c.route.query {
		names = append(names, p.name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case len(names) == 0:
			return problem.New(problem.Invalid, fmt.Sprintf("the query: no parameter %.100q; there are none here", name))
		case !slices.Contains(names, name):
			return problem.New(problem.Invalid, fmt.Sprintf("the query: no parameter %.100q; there are %s", name, strings.Join(names, ", ")))
		case len(values[name]) > 1:
			return problem.New(problem.Invalid, name+": it is there twice").About(name)
		}
	}
	return nil
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
