package wire

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// lists is a CBOR list of lists: n of size elements that are a byte each.
func lists(b []byte, outer []byte, n int, size int, elem byte) []byte {
	b = append(b, 0x9a, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	for range n {
		b = append(b, outer...)
		b = append(b, 0x9a, byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
		b = append(b, bytes.Repeat([]byte{elem}, size)...)
	}
	return b
}

// TestHeld: what a worker makes its host hold by a message has an end, however small its parts are.
func TestHeld(t *testing.T) {
	const size = 1 << 20 // as many as there may be in one list
	for name, data := range map[string][]byte{
		// Result.Error.More, each with More, each of which is empty.
		"errors in errors": lists([]byte{0xa1, 6, 0xa1, 9}, []byte{0xa1, 9}, 4, size, 0xa0),
		// Result.Error.Tasks, each with a Stack of empty frames.
		"stacks of tasks": lists([]byte{0xa1, 6, 0xa1, 8}, []byte{0xa1, 3}, 16, size, 0xa0),
		// Result.Prints, each with Values that are empty.
		"values of prints": lists([]byte{0xa1, 16}, []byte{0xa1, 2}, 40, size, 0x40),
	} {
		if len(data) > MaxFrame {
			t.Fatalf("%s: %d bytes", name, len(data))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var got jobs.Result
		err := Decode(data, &got)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrProtocol) || grown > 2*uint64(len(data)+maxExtra) {
			t.Errorf("%s: %d bytes became %d, %v", name, len(data), grown, err)
		}
	}
}

// TestHeldEnough: a true result that is as large as can be sent is not refused.
func TestHeldEnough(t *testing.T) {
	sent := jobs.Result{Stdout: strings.Repeat("x", 8<<20), Vars: map[string][]byte{"v": make([]byte, 16<<20)}, Types: map[string]string{"v": "[]byte"}}
	for range 200_000 {
		sent.Prints = append(sent.Prints, jobs.Print{Text: "1", Values: [][]byte{{0x82, 0x82, 0, 2, 1}}, Types: []string{"int"}})
	}
	data, err := Encode(sent)
	if err != nil {
		t.Fatal(err)
	}
	var got jobs.Result
	if err := Decode(data, &got); err != nil || !reflect.DeepEqual(got, sent) {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

// TestWeighed: what is weighed of a message is what each of its structs has, by its numbers.
func TestWeighed(t *testing.T) {
	for _, v := range []any{jobs.Result{}, jobs.CheckReport{}, jobs.CellResult{}, jobs.FileOp{}, Message{}} {
		typ := reflect.TypeOf(v)
		fields := 0
		for f := range typ.Fields() {
			if f.Tag.Get("cbor") != "-" {
				fields++
			}
		}
		if got := fieldsOf(typ); len(got) != fields || got[0] != nil {
			t.Errorf("%v: %v", typ, got)
		}
	}
	for _, data := range [][]byte{bytes.Repeat([]byte{0x81}, light+1), bytes.Repeat([]byte{0xff}, light+1), append(make([]byte, light), 0x5b), bytes.Repeat([]byte{0x9b}, light+1)} {
		if !fits(data, &jobs.Result{}) {
			t.Errorf("% x… is too heavy", data[:4])
		}
		if err := Decode(data, &jobs.Result{}); !errors.Is(err, ErrProtocol) {
			t.Errorf("% x…: %v", data[:4], err)
		}
	}
}
