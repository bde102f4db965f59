package builtins

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func TestWidths(t *testing.T) {
	type own uint8
	for _, tc := range []struct {
		format string
		args   []any
		want   int64
	}{
		{"%d %8.3f %-5s", []any{1, 2.0, "x"}, 16},
		{"%*d|%-*s", []any{5, 1, -20, "x"}, 40},
		{"%.*f %*v", []any{own(200), 1.0, uint64(9), nil}, 400},
		{"%[2]*[1]d", []any{12, 1000}, 1000 + 1 + 2},
		{"%*d", []any{shim.MaxWidth + 1, 1}, 1},
		{"%*d", []any{"5", nil}, 0},
		{"%1000001d", nil, shim.MaxWidth},
	} {
		if got := shim.Widths(tc.format, tc.args); got != tc.want {
			t.Errorf("%q %v: %d, want %d", tc.format, tc.args, got, tc.want)
		}
	}
}
