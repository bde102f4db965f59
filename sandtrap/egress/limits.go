package egress

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Limits bound what requests use. A limit that is 0 has its default; a negative one is an error.
type Limits struct {
	Run    Quota `json:"run,omitzero"`    // of each run
	Tenant Quota `json:"tenant,omitzero"` // of all runs of a tenant, in an hour

	Header    int64         `json:"header,omitempty"`     // bytes of the header of a request, and of a response, with 32 for each field; default 64 KiB
	FirstByte time.Duration `json:"first_byte,omitempty"` // from the beginning of a request to the header of its response; default 30 s
	Total     time.Duration `json:"total,omitempty"`      // from the beginning of a request to the end of its response's body; default 5 min
	Ratio     int64         `json:"ratio,omitempty"`      // bytes that one byte of a compressed body may become; default 100
}

// A Quota bounds requests together.
type Quota struct {
	Requests int64 `json:"requests,omitempty"` // default 1,000 of a run, 100,000 of a tenant
	AtOnce   int64 `json:"at_once,omitempty"`  // requests whose response is not read to its end or closed; default 32 and 256
	Sent     int64 `json:"sent,omitempty"`     // bytes of URLs, headers and bodies; default 16 MiB and 1 GiB
	Received int64 `json:"received,omitempty"` // bytes of headers and bodies, decompressed; default 256 MiB and 16 GiB
}

// tenantWindow is the time after which the Quota of a tenant is whole again.
const tenantWindow = time.Hour

// A Limit names a limit, as the keys of policy files do.
type Limit string

// The limits.
const (
	Requests  Limit = "requests"
	AtOnce    Limit = "at_once"
	Sent      Limit = "sent"
	Received  Limit = "received"
	Header    Limit = "header"
	FirstByte Limit = "first_byte"
	Total     Limit = "total"
	Ratio     Limit = "ratio"
)

// ErrLimit matches each *LimitError.
var ErrLimit = errors.New("egress: a limit is reached")

// A LimitError is the error of a request that has reached a limit.
type LimitError struct {
	Limit Limit
	Of    string // "run" or "tenant"; empty if it is a limit of each request
	Max   int64  // in the unit of the limit: a number, bytes, or nanoseconds
}

func (e *LimitError) Error() string {
	text := ""
	switch e.Limit {
	case Requests:
		text = fmt.Sprintf("%d requests", e.Max)
	case AtOnce:
		text = fmt.Sprintf("%d requests at a time; read the bodies of responses to their end, or close them", e.Max)
	case Sent:
		text = fmt.Sprintf("%d bytes sent", e.Max)
	case Received:
		text = fmt.Sprintf("%d bytes received", e.Max)
	case Header:
		text = fmt.Sprintf("%d bytes of a header", e.Max)
	case FirstByte:
		text = fmt.Sprintf("%v until a response begins", time.Duration(e.Max))
	case Total:
		text = fmt.Sprintf("%v for a request and its response", time.Duration(e.Max))
	case Ratio:
		text = fmt.Sprintf("%d bytes for each compressed one", e.Max)
	}
	if e.Of != "" {
		return fmt.Sprintf("the network limit %s of the %s is reached: %s", e.Limit, e.Of, text)
	}
	return fmt.Sprintf("the network limit %s is reached: %s", e.Limit, text)
}

// Is reports that target is ErrLimit.
func (e *LimitError) Is(target error) bool { return target == ErrLimit }

// Timeout reports that the limit is a time.
func (e *LimitError) Timeout() bool { return e.Limit == FirstByte || e.Limit == Total }

// filled is l with defaults, if no limit is negative.
func (l Limits) filled() (Limits, error) {
	fill := func(q Quota, of Quota) Quota {
		return Quota{cmp.Or(q.Requests, of.Requests), cmp.Or(q.AtOnce, of.AtOnce), cmp.Or(q.Sent, of.Sent), cmp.Or(q.Received, of.Received)}
	}
	l.Run = fill(l.Run, Quota{1000, 32, 16 << 20, 256 << 20})
	l.Tenant = fill(l.Tenant, Quota{100_000, 256, 1 << 30, 16 << 30})
	l.Header = cmp.Or(l.Header, 64<<10)
	l.FirstByte = cmp.Or(l.FirstByte, 30*time.Second)
	l.Total = cmp.Or(l.Total, 5*time.Minute)
	l.Ratio = cmp.Or(l.Ratio, 100)
	for limit, n := range map[Limit]int64{
		"run." + Requests: l.Run.Requests, "run." + AtOnce: l.Run.AtOnce, "run." + Sent: l.Run.Sent, "run." + Received: l.Run.Received,
		"tenant." + Requests: l.Tenant.Requests, "tenant." + AtOnce: l.Tenant.AtOnce, "tenant." + Sent: l.Tenant.Sent,
		"tenant." + Received: l.Tenant.Received, Header: l.Header, FirstByte: int64(l.FirstByte), Total: int64(l.Total), Ratio: l.Ratio,
	} {
		if n < 0 {
			return l, fmt.Errorf("egress: limit %s is negative", limit)
		}
	}
	return l, nil
}
