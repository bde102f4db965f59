package policyfile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// units are those of sizes; B may be left out.
var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1},
}

// SizeText is a size as parseSize reads it: in the largest unit of which it is a whole number.
func SizeText(n int64) string {
	for _, u := range slices.Backward(units[:3]) {
		if size := int64(u.bytes); n >= size && n%size == 0 {
			return fmt.Sprint(n/size, u.suffix)
		}
	}
	return fmt.Sprint(n, "B")
}

// parseSize reads sizes such as 64MiB, 1.5GB, 512KB and 1048576.
func parseSize(s string, to *int64) error {
	number, factor := s, 1.0
	for _, u := range units {
		if n, ok := strings.CutSuffix(strings.ToLower(s), strings.ToLower(u.suffix)); ok {
			number, factor = strings.TrimSpace(n), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	size := n * factor
	switch {
	case err != nil || math.IsNaN(n) || strings.ContainsAny(number, "xXpP_"):
		return fmt.Errorf("want a size such as 64MiB, 1.5GB or 512KB")
	case n < 0:
		return fmt.Errorf("a limit cannot be negative")
	case size > math.MaxInt64/2:
		return fmt.Errorf("too large")
	case size > 0 && size < 1:
		return fmt.Errorf("less than a byte, and 0 would mean no limit")
	}
	*to = int64(size)
	return nil
}
