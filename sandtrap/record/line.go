package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// maxLine bounds a line, with its end. No event that is bounded reaches it.
const maxLine = 2 << 20

// A line is an event as it stands in a file.
type line struct {
	N int64 `json:"n"` // of the line in the record, from 1, over all its files
	Event
	First int64  `json:"first,omitempty"` // of KindFile: the line with which the oldest file of the record begins
	Prev  string `json:"prev"`            // the hash of the line before, in hex; zeros for the first
	Sum   string `json:"hash"`            // SHA-256 of Prev, as bytes, and the event in canonical form
}

// A chain is the state between two lines.
type chain struct {
	n   int64
	sum [sha256.Size]byte
}

// A coder makes lines. It is used by one goroutine at a time.
type coder struct {
	text jsontext.Buffer
	cbor canonical
}

var (
	errTime = errors.New("the time of the event is not in the years 1 to 9999")
	errRisk = errors.New("the risk of the event is unknown")
)

// encode gives the line of e after c, with its end, and the state after it. The line is good until the next call. The fields of
// e are bounded, and its arguments are JSON.
func (c *coder) encode(from chain, e *Event, first int64) (text []byte, to chain, err error) {
	to.n = from.n + 1
	if to.sum, err = c.sum(from, e, first); err != nil {
		return nil, to, err
	}
	c.text.B = c.text.B[:0]
	c.number(`{"n":`, to.n)
	c.text.B = append(c.text.B, `,"time":"`...)
	c.text.B = e.Time.UTC().AppendFormat(c.text.B, time.RFC3339Nano)
	c.text.B = append(c.text.B, '"')
	c.event(e)
	c.optional(`,"first":`, first)
	c.text.B = append(c.text.B, `,"prev":"`...)
	c.text.B = hex.AppendEncode(c.text.B, from.sum[:])
	c.text.B = append(c.text.B, `","hash":"`...)
	c.text.B = hex.AppendEncode(c.text.B, to.sum[:])
	c.text.B = append(c.text.B, "\"}\n"...)
	return c.text.B, to, nil
}

// event writes the fields of e between the time and those of the chain.
func (c *coder) event(e *Event) {
	c.string(`,"kind":`, string(e.Kind))
	c.string(`,"tenant":`, e.Tenant)
	c.string(`,"session":`, e.Session)
	c.string(`,"run":`, e.Run)
	c.optional(`,"sequence":`, e.Sequence)
	c.optional(`,"process":`, int64(e.Process))
	c.string(`,"script":`, e.Script)
	c.string(`,"member":`, e.Member)
	if len(e.Args) > 0 {
		c.text.B = append(append(c.text.B, `,"args":`...), e.Args...)
	}
	c.string(`,"args_hash":`, e.Hash)
	c.string(`,"at":`, e.At)
	c.string(`,"risk":`, e.Risk.String())
	c.string(`,"decision":`, string(e.Decision))
	c.string(`,"code":`, string(e.Code))
	c.string(`,"rule":`, e.Rule)
	c.string(`,"reason":`, e.Reason)
	c.string(`,"by":`, e.By)
	c.optional(`,"duration_ns":`, int64(e.Duration))
	c.string(`,"outcome":`, e.Outcome)
	c.string(`,"error":`, e.Error)
	c.optional(`,"ticks":`, e.Ticks)
	c.optional(`,"status":`, int64(e.Status))
	c.optional(`,"sent":`, e.Sent)
	c.optional(`,"received":`, e.Received)
}

func (c *coder) string(name, s string) {
	switch {
	case s == "":
	case isPlain(s):
		c.text.B = append(append(append(append(c.text.B, name...), '"'), s...), '"')
	default:
		c.text.B = append(c.text.B, name...)
		jsontext.String(&c.text, s, false)
	}
}

// isPlain reports a text that JSON writes as it is. Almost all are, and jsontext takes thrice the time for them.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (c *coder) optional(name string, n int64) {
	if n != 0 {
		c.number(name, n)
	}
}

func (c *coder) number(name string, n int64) {
	c.text.B = strconv.AppendInt(append(c.text.B, name...), n, 10)
}

// sum is the hash of the line of e after from.
func (c *coder) sum(from chain, e *Event, first int64) (sum [sha256.Size]byte, err error) {
	if y := e.Time.UTC().Year(); y < 1 || y > 9999 {
		return sum, errTime
	}
	if !e.Risk.Valid() {
		return sum, errRisk
	}
	return sha256.Sum256(c.cbor.encode(from, e, first)), nil
}

func notALine(err error) error { return fmt.Errorf("not a line of a record: %w", err) }

// parse reads a line without its end, as encode has written it, byte for byte, and gives the state before and after it. What it
// says of the line before is not checked.
func (c *coder) parse(text []byte) (l line, from, to chain, err error) {
	if err := json.Unmarshal(text, &l); err != nil {
		return l, from, to, notALine(err)
	}
	prev, err := hex.DecodeString(l.Prev)
	if err != nil || len(prev) != sha256.Size || l.N < 1 {
		return l, from, to, errors.New("not a line of a record")
	}
	from = chain{n: l.N - 1, sum: [sha256.Size]byte(prev)}
	again, to, err := c.encode(from, &l.Event, l.First)
	switch {
	case err != nil:
		return l, from, to, err
	case l.Sum != hex.EncodeToString(to.sum[:]):
		return l, from, to, fmt.Errorf("its content was changed: it has the hash %x, not %.64q", to.sum, l.Sum)
	case !bytes.Equal(again[:len(again)-1], text):
		return l, from, to, errors.New("it was changed: a Log writes the same event otherwise")
	}
	return l, from, to, nil
}
