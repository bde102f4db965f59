package builtins

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"
)

// TestLongLinesOfCSV: what csv does with a line that it has read whole is asked for at
// once, whether a newline or the end of the text is what ends it.
func TestLongLinesOfCSV(t *testing.T) {
	const size = 1 << 20
	for _, tc := range []struct {
		name, text  string
		trim        bool
		least, most int64 // that is asked for at once
	}{
		{name: "spaces", text: strings.Repeat(" ", size), trim: true, least: (csvByte + csvSpace) * size / tickTime},
		{name: "spaces, a line", text: strings.Repeat(" ", size) + "\nx\n", trim: true, least: (csvByte + csvSpace) * size / tickTime},
		{name: "quotes", text: strings.Repeat(`"`, size), least: (csvByte + csvReadsQuote) * size / tickTime},
		{name: "quotes, a line", text: "x\n" + strings.Repeat(`"`, size) + "\n", least: (csvByte + csvReadsQuote) * size / tickTime},
		{name: "short lines", text: strings.Repeat("abc,def\n", size/8), trim: true, most: 2 * workStep},
	} {
		t.Run(tc.name, func(t *testing.T) {
			largest := int64(0)
			e := &Env{Gates: asking{work: func(n int64) { largest = max(largest, n) }}}
			f := value[func(io.Reader) *csv.Reader](t, e, Ref{Kind: Func, Path: "encoding/csv", Name: "NewReader"})
			r := f(strings.NewReader(tc.text))
			r.TrimLeadingSpace = tc.trim
			if _, err := r.ReadAll(); err != nil {
				t.Fatal(err)
			}
			if largest < tc.least || tc.most > 0 && largest > tc.most {
				t.Errorf("%d ticks at once, want at least %d, at most %d", largest, tc.least, tc.most)
			}
		})
	}
}
