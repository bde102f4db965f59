package mime

import (
	"io"
	"mime"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestDecodedTextIsPaid: what a decoder of the script's gives is charged while it is read, so one without an end is
// refused. The one here has an end, for when nobody charges.
func TestDecodedTextIsPaid(t *testing.T) {
	d := &mime.WordDecoder{CharsetReader: func(string, io.Reader) (io.Reader, error) {
		return struct{ io.Reader }{strings.NewReader(strings.Repeat("x", 1<<20))}, nil
	}}
	for name, f := range map[string]func(*mime.WordDecoder, string) (string, error){"Decode": (*mime.WordDecoder).Decode, "DecodeHeader": (*mime.WordDecoder).DecodeHeader} {
		if p := shimtest.Outcome(func() { _, _ = Decoding(f)(shimtest.Limited(1<<16))(d, "=?own?q?a?=") }); p != shimtest.ErrRefused {
			t.Errorf("%s ended with %v, want that the text is refused", name, p)
		}
		if text, err := Decoding(f)(shimtest.Limited(1<<21))(d, "=?own?q?a?="); err != nil || len(text) != 1<<20 {
			t.Errorf("%s gives %d bytes and %v", name, len(text), err)
		}
	}
}
