package sandtraptest

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestCopyPasses: what a copy writes to something that does not keep it is not memory of the script, however much it is; what is
// kept is.
func TestCopyPasses(t *testing.T) {
	const source = `import ("bufio"; "bytes"; "crypto/sha256"; "io"; "strings"; "text/tabwriter")
type zeros struct{ left int }
func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 { return 0, io.EOF }
	n := min(len(p), z.left)
	z.left -= n
	return n, nil
}
type counter struct{ n int }
func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }
var _, _, _, _, _ = bufio.NewWriter, bytes.NewBuffer, sha256.New, strings.NewReader, tabwriter.NewWriter
const size = 24 << 20
`
	eachMode(t, func(b bench) {
		for dst, keeps := range map[string]bool{
			"io.Discard": false, "&counter{}": false, "sha256.New()": false, "bufio.NewWriter(io.Discard)": false, "bufio.NewWriter(&counter{})": false,
			"new(bytes.Buffer)": true, "new(strings.Builder)": true, "bufio.NewWriter(new(bytes.Buffer))": true,
			"tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0)": true,
		} {
			for i, copies := range []string{"io.Copy(w, &zeros{size})", "io.CopyN(w, &zeros{size}, size)", "io.CopyBuffer(w, &zeros{size}, make([]byte, 4096))"} {
				if i > 0 && dst != "io.Discard" {
					continue
				}
				p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: 12 << 20, Timeout: patience * limits.Timeout}}
				_, err := b.RunOnce(p, source+"var w io.Writer = "+dst+"\nn, err := "+copies+"\nif n != size || err != nil { panic(err) }")
				switch {
				case keeps && !errors.Is(err, sandtrap.KindMemory):
					b.Errorf("%s to %s: %v, want the limit of memory", copies, dst, err)
				case !keeps && err != nil:
					b.Errorf("%s to %s: %v", copies, dst, err)
				}
			}
		}
	})
}
