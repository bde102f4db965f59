package net

import (
	"bufio"
	"fmt"
	"io"
	"net/textproto"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestMIMEHeaderIsPaid: a header is charged for as what it becomes, before that is there, and what follows it as nothing.
func TestMIMEHeaderIsPaid(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "%x:\n", i)
	}
	for _, tc := range []struct {
		text    string
		refused bool
	}{{b.String() + "\n", true}, {"a: " + strings.Repeat("x", 100_000) + "\n\n", true}, {"a: b\n\n" + strings.Repeat("x", 1<<20), false}} {
		p := shimtest.Outcome(func() {
			r := textproto.NewReader(bufio.NewReader(strings.NewReader(tc.text)))
			if _, err := ReadMIMEHeader(shimtest.Limited(300_000))(r); err != nil {
				t.Error(err)
			}
		})
		if (p == shimtest.ErrRefused) != tc.refused || p != nil && !tc.refused {
			t.Errorf("a header of %d bytes ends with %v, want refused %t", len(tc.text), p, tc.refused)
		}
	}
}

// TestMIMEHeaderLeavesTheRest: of a reader with a buffer of any size as much is taken as Go takes, and the header and the error are
// Go's.
func TestMIMEHeaderLeavesTheRest(t *testing.T) {
	long := strings.Repeat("y", 9000)
	for _, text := range []string{
		"", "\r\nbody", "A: 1\r\nB: 2\r\n\r\nbody\nmore", "a: 1\n  continued\n\n\tbody", "A: 1", "A: 1\r\n", "bad\n\nbody", "A: 1\nno colon\nC: 3\n\nbody",
		" first: 1\nA: 2\n\nbody", ": 1\n\nbody", "A: " + long + "\nB: 2\n\nbody" + long, long + "\nA: 1\n\nbody", long + ": 1\n\nbody", "A: 1\n" + long,
		"A: \x01\nB: 2\n\nbody", "A : 1\nA: 2\na: 3\n\nbody", "A: 1\n\n" + long,
	} {
		for _, size := range []int{16, 64, 4096, 100_000} {
			ours := textproto.NewReader(bufio.NewReaderSize(strings.NewReader(text), size))
			theirs := textproto.NewReader(bufio.NewReaderSize(strings.NewReader(text), size))
			h, err := ReadMIMEHeader(&shim.Env{})(ours)
			want, wantErr := theirs.ReadMIMEHeader()
			if fmt.Sprint(h, err) != fmt.Sprint(want, wantErr) {
				t.Errorf("%.20q of %d: got %.200v %v, want %.200v %v", text, size, h, err, want, wantErr)
			}
			rest, _ := io.ReadAll(ours.R)
			if wantRest, _ := io.ReadAll(theirs.R); string(rest) != string(wantRest) {
				t.Errorf("%.20q of %d: %d bytes are left, want %d: %.30q %.30q", text, size, len(rest), len(wantRest), rest, wantRest)
			}
		}
	}
}
