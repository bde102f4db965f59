package record

import (
	"crypto/sha256"
	"encoding/binary"
)

// A canonical makes what the hash of a line covers: the hash of the line before, and the event as a map in core deterministic CBOR
// of RFC 8949. What is empty is left out but for the first four; a key is never given to another field, so that old lines keep their
// hashes. It is written by hand because reflection would take as long as all the rest of a write.
type canonical struct {
	buf   []byte
	pairs int
}

// The keys of the map.
const (
	keyN       = iota + 1
	keySeconds // since 1970
	keyNanos
	keyKind
	keyTenant
	keySession
	keyRun
	keySequence
	keyProcess
	keyScript
	keyMember
	keyArgs // bytes, as in the line
	keyHash
	keyAt
	keyRisk
	keyDecision
	keyCode
	keyRule
	keyReason
	keyBy
	keyDuration
	keyOutcome
	keyError
	keyTicks
	keyFirst
	keyStatus
	keySent
	keyReceived
)

// The major types of CBOR.
const (
	majorUint   = 0 << 5
	majorNegint = 1 << 5
	majorBytes  = 2 << 5
	majorText   = 3 << 5
	majorMap    = 5 << 5
)

// maxHead is the room for the head of the map.
const maxHead = 2

// encode gives bytes that are good until the next call.
func (c *canonical) encode(from chain, e *Event, first int64) []byte {
	const room = sha256.Size + maxHead
	c.buf, c.pairs = append(c.buf[:0], make([]byte, room)...), 0
	c.number(keyN, from.n+1)
	c.number(keySeconds, e.Time.Unix())
	c.number(keyNanos, int64(e.Time.Nanosecond()))
	text(c, keyKind, majorText, e.Kind)
	c.optional(keyTenant, e.Tenant)
	c.optional(keySession, e.Session)
	c.optional(keyRun, e.Run)
	c.nonzero(keySequence, e.Sequence)
	c.nonzero(keyProcess, int64(e.Process))
	c.optional(keyScript, e.Script)
	c.optional(keyMember, e.Member)
	if len(e.Args) > 0 {
		text(c, keyArgs, majorBytes, e.Args)
	}
	c.optional(keyHash, e.Hash)
	c.optional(keyAt, e.At)
	c.optional(keyRisk, e.Risk.String())
	c.optional(keyDecision, string(e.Decision))
	c.optional(keyCode, string(e.Code))
	c.optional(keyRule, e.Rule)
	c.optional(keyReason, e.Reason)
	c.optional(keyBy, e.By)
	c.nonzero(keyDuration, int64(e.Duration))
	c.optional(keyOutcome, e.Outcome)
	c.optional(keyError, e.Error)
	c.nonzero(keyTicks, e.Ticks)
	c.nonzero(keyFirst, first)
	c.nonzero(keyStatus, int64(e.Status))
	c.nonzero(keySent, e.Sent)
	c.nonzero(keyReceived, e.Received)

	head := appendHead(make([]byte, 0, maxHead), majorMap, uint64(c.pairs))
	start := room - len(head) - sha256.Size
	copy(c.buf[start:], from.sum[:])
	copy(c.buf[room-len(head):], head)
	return c.buf[start:]
}

func (c *canonical) optional(key uint64, s string) {
	if s != "" {
		text(c, key, majorText, s)
	}
}

func text[T ~string | ~[]byte](c *canonical, key uint64, major byte, s T) {
	c.head(majorUint, key)
	c.head(major, uint64(len(s)))
	c.buf = append(c.buf, s...)
	c.pairs++
}

func (c *canonical) nonzero(key uint64, n int64) {
	if n != 0 {
		c.number(key, n)
	}
}

func (c *canonical) number(key uint64, n int64) {
	c.head(majorUint, key)
	if n < 0 {
		c.head(majorNegint, uint64(-1-n))
	} else {
		c.head(majorUint, uint64(n))
	}
	c.pairs++
}

func (c *canonical) head(major byte, n uint64) { c.buf = appendHead(c.buf, major, n) }

// appendHead appends the shortest head of an item.
func appendHead(to []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(to, major|byte(n))
	case n < 1<<8:
		return append(to, major|24, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(to, major|25), uint16(n))
	case n < 1<<32:
		return binary.BigEndian.AppendUint32(append(to, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(to, major|27), n)
}
