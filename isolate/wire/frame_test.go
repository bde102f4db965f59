package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"runtime"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	sent := []*Message{
		{Kind: Hello}, {Kind: Job, ID: 7, Name: "name", Body: []byte("body")}, {Kind: Outcome, ID: 1 << 60, Error: "\xff no text"},
		{Kind: Stream, Body: bytes.Repeat([]byte("x"), 3<<20)},
	}
	for _, m := range sent {
		if err := c.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range sent {
		got, err := c.Receive()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%+v became %+v", want, got)
		}
	}
	if _, err := c.Receive(); err != io.EOF {
		t.Errorf("after the last: %v", err)
	}
}

// TestAnnounced: memory follows what has come, whatever a header says.
func TestAnnounced(t *testing.T) {
	head := binary.BigEndian.AppendUint32(nil, MaxFrame)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := NewConn(bytes.NewBuffer(append(head, 1, 2, 3))).Receive()
	runtime.ReadMemStats(&after)
	if err != io.ErrUnexpectedEOF {
		t.Errorf("error %v", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("%d bytes were taken for three", n)
	}
}

func TestNoMessages(t *testing.T) {
	for name, frame := range map[string][]byte{
		"empty":          {0, 0, 0, 0},
		"too large":      {255, 255, 255, 255},
		"no CBOR":        {0, 0, 0, 2, 0xff, 0xff},
		"an array":       {0, 0, 0, 1, 0x80},
		"a tag":          {0, 0, 0, 2, 0xc0, 0xa0},
		"a tag of CBOR":  {0, 0, 0, 4, 0xd9, 0xd9, 0xf7, 0xa0},
		"a key twice":    {0, 0, 0, 5, 0xa2, 1, 1, 1, 1},
		"no length":      {0, 0, 0, 2, 0xbf, 0xff},
		"more than that": {0, 0, 0, 2, 0xa0, 0x00},
	} {
		if m, err := NewConn(bytes.NewBuffer(frame)).Receive(); !errors.Is(err, ErrProtocol) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

// TestLongName: a name is short, whatever room a frame has.
func TestLongName(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	if err := c.Send(&Message{Kind: Call, Name: string(make([]byte, 64<<10))}); err != nil {
		t.Fatal(err)
	}
	if m, err := c.Receive(); !errors.Is(err, ErrProtocol) {
		t.Errorf("%+v, %v", m, err)
	}
}

// FuzzReceive: whatever comes is a message or an error.
func FuzzReceive(f *testing.F) {
	var b bytes.Buffer
	c := NewConn(&b)
	for _, v := range []any{jobs.Plan{Std: []string{"fmt"}}, jobs.Script{Text: "x"}, jobs.Result{Error: &jobs.Error{Kind: "panic"}}, jobs.FileOp{Op: "open"}} {
		body, err := Encode(v)
		if err != nil {
			f.Fatal(err)
		}
		b.Reset()
		c.Send(&Message{Kind: Job, ID: 1, Body: body})
		f.Add(bytes.Clone(b.Bytes()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := NewConn(bytes.NewBuffer(data))
		for {
			m, err := c.Receive()
			if err != nil {
				return
			}
			for _, v := range []any{new(jobs.Plan), new(jobs.Script), new(jobs.Result), new(jobs.FileOp), new(jobs.FileResult), new(jobs.Task), new(posture.Profile), new(posture.Report), new(jobs.CheckReport)} {
				if err := Decode(m.Body, v); err != nil && !errors.Is(err, ErrProtocol) {
					t.Fatal(err)
				}
			}
		}
	})
}
