package builtins

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimencoding "github.com/sandtrap-go/sandtrap/builtins/internal/shim/encoding"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	"github.com/sandtrap-go/sandtrap/gates/abi"
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
		{name: "spaces", text: strings.Repeat(" ", size), trim: true, least: (shimencoding.CsvByte + shimencoding.CsvSpace) * size / shim.TickTime},
		{name: "spaces, a line", text: strings.Repeat(" ", size) + "\nx\n", trim: true, least: (shimencoding.CsvByte + shimencoding.CsvSpace) * size / shim.TickTime},
		{name: "quotes", text: strings.Repeat(`"`, size), least: (shimencoding.CsvByte + shimencoding.CsvReadsQuote) * size / shim.TickTime},
		{name: "quotes, a line", text: "x\n" + strings.Repeat(`"`, size) + "\n", least: (shimencoding.CsvByte + shimencoding.CsvReadsQuote) * size / shim.TickTime},
		{name: "short lines", text: strings.Repeat("abc,def\n", size/8), trim: true, most: 2 * shim.WorkStep},
	} {
		t.Run(tc.name, func(t *testing.T) {
			largest := int64(0)
			e := &Env{Gates: shimtest.Gates{OnWork: func(n int64) { largest = max(largest, n) }}}
			f := value[func(io.Reader) *csv.Reader](t, e, Ref{Kind: abi.BindFunc, Path: "encoding/csv", Name: "NewReader"})
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

// TestCSVFieldsAlias: a record of one long text again and again is asked for as it is looked at.
func TestCSVFieldsAlias(t *testing.T) {
	field := strings.Repeat("a", 1<<20)
	record := slices.Repeat([]string{field}, 64)
	largest, total := int64(0), int64(0)
	e := &Env{Gates: shimtest.Gates{OnWork: func(n int64) { largest, total = max(largest, n), total+n }}}
	if err := shimencoding.CsvWrite(e)(csv.NewWriter(io.Discard), record); err != nil {
		t.Fatal(err)
	}
	whole := int64(len(record)*len(field)) / shimencoding.CsvTick
	if total < whole || largest > whole/int64(len(record))*2 {
		t.Errorf("asks for %d at once, of %d in all", largest, total)
	}
}
