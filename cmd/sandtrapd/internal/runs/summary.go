package runs

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Summary tells one run from another in a list.
type Summary struct {
	Tenant     string  `json:"tenant"`
	Head       string  `json:"head"`                 // the first line of the source, cut to 120 bytes
	Kind       string  `json:"error_kind,omitempty"` // of its error
	Ticks      int64   `json:"ticks"`
	PeakBytes  int64   `json:"peak_bytes"`
	DurationMS float64 `json:"duration_ms"` // of running, without waiting
}

// maxHead bounds Head, in bytes.
const maxHead = 120

func summaryOf(row *store.Run) Summary {
	head, _, _ := strings.Cut(strings.TrimSpace(row.Code[:min(len(row.Code), store.HeadBytes)]), "\n") // as of a row of a list
	if len(head) > maxHead {
		head = head[:maxHead]
		for !utf8.ValidString(head) && len(head) > maxHead-utf8.UTFMax {
			head = head[:len(head)-1]
		}
	}
	return Summary{
		Tenant: row.Tenant, Head: strings.TrimSpace(head), Kind: row.Kind, Ticks: row.Ticks, PeakBytes: row.Peak,
		DurationMS: float64(row.Duration.Microseconds()) / 1e3,
	}
}

// Request is what the run was begun with, without its idempotency key.
func (r *Run) Request() (q Request, err error) {
	err = json.Unmarshal(r.row.Request, &q)
	q.Key = ""
	return q, err
}

// Timed is the data of the event with its time, if the data is an object.
func (e Event) Timed() json.RawMessage {
	fields, ok := strings.CutPrefix(string(e.Data), "{")
	if !ok {
		return e.Data
	}
	comma := ","
	if strings.HasPrefix(fields, "}") {
		comma = ""
	}
	return json.RawMessage(`{"time":` + string(encode(e.Time)) + comma + fields)
}
