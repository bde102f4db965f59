package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Client is a server, and a key of it. It is safe for concurrent use, and not to be changed while it is used.
type Client struct {
	URL  string       // of the server: http://127.0.0.1:8080
	Key  string       // a token
	HTTP *http.Client // nil is http.DefaultClient
}

// A Problem is an error that the server answered with: errors.AsType[*client.Problem](err) finds it.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   string `json:"code"`   // invalid, unauthorized, forbidden, not_found, conflict, too_large, limit, draining, ...
	Detail string `json:"detail"` // what is wrong, and what to do
	Field  string `json:"field"`  // of the request, that it is about
}

func (p *Problem) Error() string { return fmt.Sprintf("sandtrapd: %s: %s", p.Code, p.Detail) }

// Bounds of what is read from the server into memory, and of how often a request is tried.
const (
	maxResponse = 64 << 20
	maxProblem  = 64 << 10
	maxTries    = 8
	maxEmpty    = 10_000 // pages of a list without an element, one after another: a search has pages that match nothing
)

// A request is one that may be sent several times.
type request struct {
	method, path string
	query        url.Values
	body         any       // in JSON; nil for none
	data         io.Reader // a body that is no JSON; it is read once, so the request is to be sent once
	header       map[string]string
	once         bool // not to be sent again
}

// send sends a request until the server takes it. One that it refuses for a while, as its limits are reached or it ends, is sent again
// after the time that it names, unless ctx ends before. The body of the response is to be closed; an error of the server is a *Problem.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	for try := 1; ; try++ {
		res, err := c.once(ctx, r)
		if err != nil {
			return nil, err
		}
		if res.StatusCode < 300 {
			return res, nil
		}
		problem := readProblem(res)
		wait, again := retryAfter(res)
		if deadline, ok := ctx.Deadline(); !again || r.once || try == maxTries || ok && time.Until(deadline) < wait {
			return nil, problem
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, problem
		}
	}
}

func (c *Client) once(ctx context.Context, r request) (*http.Response, error) {
	body := r.data
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	address := strings.TrimSuffix(c.URL, "/") + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	q, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Authorization", "Bearer "+c.Key)
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		q.Header.Set(name, value)
	}
	client := *http.DefaultClient
	if c.HTTP != nil {
		client = *c.HTTP
	}
	client.CheckRedirect = notFollowed
	return client.Do(q)
}

// notFollowed has a redirection be the response: the API has none, and net/http would send the key to another port too, and without TLS.
func notFollowed(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// retryAfter is the time after which to try again, if the response says so.
func retryAfter(res *http.Response) (time.Duration, bool) {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	text := res.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(0, seconds)) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// readProblem reads the error of a response, and closes it.
func readProblem(res *http.Response) *Problem {
	defer res.Body.Close()
	p := &Problem{}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxProblem))
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil || p.Code == "" { // from something between the client and the server
		p = &Problem{Code: "http", Detail: fmt.Sprintf("%s: %.200s", res.Status, text)}
	}
	if to := res.Header.Get("Location"); res.StatusCode < 400 && to != "" {
		p = &Problem{Code: "http", Detail: fmt.Sprintf("%s: it leads to %.200q, and is not followed", res.Status, to)}
	}
	p.Title, p.Status = http.StatusText(res.StatusCode), res.StatusCode
	return p
}

// call sends a request, and reads the JSON of the response into out.
func (c *Client) call(ctx context.Context, r request, out any) error {
	text, _, err := c.bytes(ctx, r)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: %w", r.method, r.path, err)
	}
	return nil
}

// bytes sends a request, and gives the body of the response and its media type.
func (c *Client) bytes(ctx context.Context, r request) ([]byte, string, error) {
	res, err := c.send(ctx, r)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxResponse+1))
	if err == nil && len(text) > maxResponse {
		err = fmt.Errorf("%s %s: the response has more than %d bytes", r.method, r.path, maxResponse)
	}
	return text, res.Header.Get("Content-Type"), err
}

// pages are the elements of a list that comes in pages, which are got as they are needed. An error is the last element.
func pages[P, E any](ctx context.Context, c *Client, path string, query url.Values, of func(*P) (list []E, next string)) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		values, empty := maps.Clone(query), 0
		for {
			var page P
			err := c.call(ctx, request{method: http.MethodGet, path: path, query: values}, &page)
			list, next := of(&page)
			if empty++; len(list) > 0 {
				empty = 0
			}
			if err == nil && next != "" && (next == values.Get("cursor") || empty == maxEmpty) {
				err = fmt.Errorf("GET %s: the list does not come to its end", path)
			}
			if err != nil {
				var none E
				yield(none, err)
				return
			}
			for _, e := range list {
				if !yield(e, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			values.Set("cursor", next)
		}
	}
}

// set has the values that are not empty. Pairs are of name and value.
func set(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// at is a time as the API has it in a query, empty if it is zero.
func at(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// in is a path with names within it.
func in(format string, names ...string) string {
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = url.PathEscape(name)
	}
	return fmt.Sprintf(format, args...)
}
