package mime

import (
	"io"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestPartsArePaid: the parts of a message are charged while they are read, lines of headers more than text. The form here
// has an end, for when nobody charges.
func TestPartsArePaid(t *testing.T) {
	head := "--b\r\nContent-Disposition: form-data; name=a; filename=f\r\n"
	for name, tc := range map[string]struct {
		text  string
		bytes int64
	}{
		"a file":   {head + "\r\n" + strings.Repeat("x", 1<<20) + "\r\n--b--\r\n", 4 << 20},
		"a header": {head + strings.Repeat("a:b\r\n", 5_000) + "\r\n\r\n--b--\r\n", 1 << 20},
	} {
		read := func(limit int64) (err error) {
			e := shimtest.Limited(limit)
			r := MultipartNewReader(e)(struct{ io.Reader }{strings.NewReader(tc.text)}, "b")
			_, err = MultipartReadForm(e)(r, 0)
			return err
		}
		if p := shimtest.Outcome(func() { _ = read(tc.bytes) }); p != shimtest.ErrRefused {
			t.Errorf("%s ended with %v, want that it is refused", name, p)
		}
		if err := read(16 << 20); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
