package hostwrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestWorkers: a worker serves the runs of a sandbox one after the other, and what they share is as it was
// after a run that has written to all that it can.
func TestWorkers(t *testing.T) {
	const look = `import ("encoding/base32"; "encoding/base64"; "errors"; "hash/crc32"; "hash/crc64"; "io"; "io/fs"; "strconv"; "time"; "unicode")
n := 0
for r := rune(0); r < 0x3000; r++ {
	for _, t := range []*unicode.RangeTable{unicode.Letter, unicode.Digit, unicode.Upper, unicode.Latin, unicode.Han, unicode.Space} {
		if unicode.Is(t, r) { n += int(r) }
	}
	n += int(unicode.ToUpper(r)) + int(unicode.TurkishCase.ToLower(r))
}
fmt.Print(n, base64.StdEncoding.EncodeToString([]byte("?>ab")), base64.RawURLEncoding.EncodeToString([]byte("?>ab")), base32.HexEncoding.EncodeToString([]byte("ab")),
	*crc32.IEEETable, *crc32.MakeTable(crc32.Castagnoli), *crc64.MakeTable(crc64.ISO), io.EOF, io.ErrUnexpectedEOF, fs.ErrNotExist, strconv.ErrRange, errors.ErrUnsupported,
	time.UTC, time.Unix(0, 0).UTC(), len(unicode.Scripts), len(unicode.CaseRanges))`
	for _, mode := range []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel} {
		t.Run(string(mode), func(t *testing.T) {
			if testing.Short() && mode == sandtrap.Process && !machine.Raced && machine.Confinement() == "" {
				t.Skip("isolation kernel tries the same")
			}
			if machine.Raced && mode == sandtrap.Kernel {
				t.Skip("the race detector makes system calls that no worker of isolation kernel may make")
			}
			p := standard()
			p.Network = rig.Offline(t)
			p.Isolation = mode
			box, err := sandtrap.New(t.Context(), p)
			if mode == sandtrap.Kernel {
				rig.NoKernel(t, err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			before, err := box.Run(t.Context(), sandtrap.Script{Text: look})
			if err != nil || len(before.Stdout) < 5000 {
				t.Fatalf("got %q, %v", before.Stdout, err)
			}
			var src strings.Builder
			var list string
			paths := map[string]string{}
			for i, v := range rowVariables(t) {
				if v.path == "os" {
					continue
				}
				name, ok := paths[v.path]
				if !ok {
					name = fmt.Sprint("p", i)
					paths[v.path] = name
					list += fmt.Sprintf("; %s %q", name, v.path)
				}
				fmt.Fprintf(&src, "attack(%s.%s)\n", name, v.name)
			}
			res, err := box.Run(t.Context(), sandtrap.Script{Text: fmt.Sprintf("import (%s%s)\n%s\n%s\n", attackImports, list, attack, src.String())})
			if tried, _ := res.Vars["tried"].(int); err != nil || tried < 10000 {
				t.Fatalf("%d things were tried: %v", tried, err)
			}
			after, err := box.Run(t.Context(), sandtrap.Script{Text: look})
			if err != nil || after.Stdout != before.Stdout {
				t.Errorf("the worker has other values now: %v\n%s\n%s", err, before.Stdout, after.Stdout)
			}
		})
	}
}
