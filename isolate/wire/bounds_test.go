package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestFrameBounds: each kind of frame, and each call that has a name of its own, has its bound, on both sides.
func TestFrameBounds(t *testing.T) {
	f := posture.Frames{Outcome: 300_000, Call: 250_000}
	for _, tc := range []struct {
		kind Kind
		name string
		most int
	}{
		{Hello, "", 64 << 10}, {Ready, "", 64 << 10}, {Failed, "", 64 << 10}, {Stream, "event.stdout", 64 << 10}, {99, "x", 64 << 10},
		{Call, CallFile, 192 << 10}, {Call, CallPrint, 192 << 10}, {Call, CallAhead, 192 << 10}, {Call, CallSave, 192 << 10},
		{Call, CallStdin, 64 << 10}, {Call, CallLoad, 64 << 10},
		{Call, CallFunc + "f", 250_000}, {Call, "none", 250_000}, {Answer, "", 250_000}, {Outcome, "", 300_000},
	} {
		t.Run(fmt.Sprint(tc.kind, tc.name), func(t *testing.T) {
			const around = 100 // bytes of what is beside a body
			for _, size := range []int{tc.most - around, tc.most + 1} {
				m := &Message{Kind: tc.kind, ID: 1 << 40, Name: tc.name, Body: make([]byte, size)}
				var b bytes.Buffer
				to, from := NewConn(&b), NewConn(&b)
				if err := to.Send(m); err != nil {
					t.Fatal(err)
				}
				from.Bound(func(kind Kind, name string) (int, bool) { return Most(f, kind, name), true })
				got, err := from.Receive()
				if fits := size < tc.most; fits != (err == nil) || !fits && !errors.Is(err, ErrProtocol) || fits && len(got.Body) != size {
					t.Errorf("%d bytes: %v", size, err)
				}
				to.sends = &f
				if err := to.Send(m); (size < tc.most) != (err == nil) || err != nil && !errors.Is(err, ErrTooLarge) {
					t.Errorf("%d bytes are sent: %v", size, err)
				}
			}
		})
	}
}

// TestSkipped: a frame that is not to be held is read to its end, and the next one is whole.
func TestSkipped(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	c.Bound(func(kind Kind, _ string) (int, bool) { return MaxFrame, kind != Stream })
	for _, m := range []*Message{{Kind: Stream, Body: make([]byte, 3<<20)}, {Kind: Stream, Body: make([]byte, 10)}, {Kind: Outcome, Body: make([]byte, 3<<20)}} {
		if err := c.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []struct{ body, skipped int }{{0, 3 << 20}, {10, 0}, {3 << 20, 0}} {
		m, err := c.Receive()
		if err != nil || len(m.Body) != want.body || m.Skipped < want.skipped || want.skipped == 0 && m.Skipped > 0 {
			t.Errorf("%d bytes, %d skipped, %v; want %+v", len(m.Body), m.Skipped, err, want)
		}
	}
}

// TestHeadOf: what a frame begins with is its kind and its name, or nothing.
func TestHeadOf(t *testing.T) {
	data, err := Encode(Message{Kind: Call, ID: 1 << 60, Name: "file", Body: []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	if kind, name := headOf(data); kind != Call || name != "file" {
		t.Errorf("%d, %q", kind, name)
	}
	for i := range data {
		headOf(data[:i])
	}
	for _, data := range []string{"", "\x80", "\xff", "\xbb" + strings.Repeat("\xff", 8), "\xa1\x01", "\xa1\x01\x60", "\xa2\x04\x01\x01\x06"} {
		if kind, name := headOf([]byte(data)); kind != 0 || name != "" {
			t.Errorf("%x: %d, %q", data, kind, name)
		}
	}
}

// TestHeadThatLies: a frame that begins like one of a larger bound, or of another name, has the bound of what it
// is decoded as.
func TestHeadThatLies(t *testing.T) {
	f := posture.Frames{Outcome: 300_000, Call: 250_000}
	body := "\x04\x5a\x00\x03\x34\x50" + strings.Repeat("x", 210_000)
	for what, data := range map[string]string{
		"a negative number as kind": "\xa3\x01\x08\x21\x0a" + body,
		"a negative number as name": "\xa4\x01\x06\x23\x64none\x03\x64file" + body,
		"the name last":             "\xa3\x01\x06" + body + "\x03\x64file",
		"the kind last":             "\xa3\x03\x64none" + body + "\x01\x08",
		"both last":                 "\xa3" + body + "\x01\x06\x03\x64file",
		"a text as kind":            "\xa3\x61\x31\x0a\x01\x08" + body,
	} {
		t.Run(what, func(t *testing.T) {
			var b bytes.Buffer
			b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
			b.WriteString(data)
			c := NewConn(&b)
			c.Bound(func(kind Kind, name string) (int, bool) { return Most(f, kind, name), true })
			if m, err := c.Receive(); !errors.Is(err, ErrProtocol) {
				t.Errorf("%d %q with %d bytes: %v", m.Kind, m.Name, len(m.Body), err)
			}
		})
	}
}
