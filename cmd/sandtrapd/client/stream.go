package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// An Event is a step of a run.
type Event struct {
	ID   int64           // from 1, in order
	Kind string          // start, stdout, stderr, call, decision, pause, resume, gap, result; newer servers may have others
	Data json.RawMessage // an object, with the time in ms of Unix time

	retry time.Duration // of one without an ID: the server ends, and the run goes on when it has started again
}

// Text is that of an event of the kind stdout or stderr.
func (e *Event) Text() string {
	var data struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(e.Data, &data) // other events have none
	return data.Text
}

// errRestart is of a stream that ends as the server does, of a run that goes on with the next one.
var errRestart = errors.New("sandtrapd: the server ends, and has not started again")

// maxEvent bounds one event, and maxLost how often in a row a stream may break off without an event.
const (
	maxEvent = 16 << 20
	maxLost  = 5
)

// errLarge is of an event that no further request makes smaller.
var errLarge = fmt.Errorf("sandtrapd: an event has more than %d bytes", maxEvent)

// Stream has the events of a run after the one with the ID after, as they come, until the run has ended or waits. A stream that breaks
// off is resumed behind its last event, also over a restart of the server. An error is the last element.
func (c *Client) Stream(ctx context.Context, id string, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var wait time.Duration
		for lost := 0; ; lost++ {
			last, kind, err := after, "", error(nil)
			for e, broken := range c.events(ctx, id, after) {
				if err = broken; err != nil {
					break
				}
				if e.ID == 0 {
					wait, err = e.retry, errRestart
					break
				}
				after, kind, wait = e.ID, e.Kind, 0
				if !yield(e, nil) {
					return
				}
			}
			if err == nil && (kind == "result" || kind == "pause") {
				return
			}
			if after > last {
				lost = 0
			}
			over, err := c.resume(ctx, id, err, lost, wait)
			if err != nil {
				yield(Event{}, err)
			}
			if over {
				return
			}
		}
	}
}

// resume says what to do after a stream that ended early: it is over if the run does not go on, if there is an error that a further
// request does not mend, or if it broke off too often. A server that starts again is asked after the time wait, which is 0 for others.
func (c *Client) resume(ctx context.Context, id string, err error, lost int, wait time.Duration) (over bool, _ error) {
	_, isProblem := errors.AsType[*Problem](err)
	if ctx.Err() != nil {
		return true, ctx.Err()
	}
	if isProblem || errors.Is(err, errLarge) || lost >= maxLost {
		return true, err
	}
	timer := time.NewTimer(max(wait, time.Duration(lost)*200*time.Millisecond))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return true, ctx.Err()
	}
	if err != nil {
		return false, nil
	}
	run, err := c.GetRun(ctx, id)
	return err != nil || run.State != Running, err
}

// events are those of one connection.
func (c *Client) events(ctx context.Context, id string, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		res, err := c.send(ctx, request{
			method: http.MethodGet, path: in("/v1/runs/%s/events", id), query: url.Values{"after": {strconv.FormatInt(after, 10)}},
			header: map[string]string{"Accept": "text/event-stream"},
		})
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, maxEvent)
		for {
			e, err := readEvent(lines)
			if err == io.EOF {
				return
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// readEvent reads an event as the HTML standard has server-sent events: fields in lines, and an empty line. One that is cut off is
// dropped, and the error is io.EOF.
func readEvent(lines *bufio.Scanner) (e Event, err error) {
	var data []string
	left := maxEvent
	for lines.Scan() {
		line := lines.Text()
		if left -= len(line) + 1; left < 0 {
			return e, errLarge
		}
		if line == "" && (e.ID > 0 || e.Kind == "restart") {
			e.Data = json.RawMessage(strings.Join(data, "\n"))
			return e, nil
		}
		if line == "" { // of an event that no reader can resume behind
			e, data, left = Event{}, nil, maxEvent
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			if e.ID, err = strconv.ParseInt(value, 10, 64); err != nil {
				return e, fmt.Errorf("sandtrapd: the ID of an event is %.50q", value)
			}
		case "event":
			e.Kind = value
		case "retry":
			if ms, err := strconv.ParseInt(value, 10, 32); err == nil {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		case "data":
			data = append(data, value)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return e, errLarge
	} else if err != nil {
		return e, err
	}
	return e, io.EOF
}
