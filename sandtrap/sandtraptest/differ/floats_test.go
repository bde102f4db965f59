package differ

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestFloatsOutOfRange: a float that does not fit an integer becomes what the compiler
// makes of it on this machine.
func TestFloatsOutOfRange(t *testing.T) {
	var want strings.Builder
	for _, f := range []float64{1e10, -300.7, 1e19, math.Inf(1), math.NaN(), 3e9, 70000, -1} {
		fmt.Fprintln(&want, int(f), int8(f), int16(f), int32(f), uint(f), uint8(f), uint16(f), uint32(f), uint64(f))
	}
	got := interpreted(t, `package main
import ("fmt"; "math")
func main() {
	for _, f := range []float64{1e10, -300.7, 1e19, math.Inf(1), math.NaN(), 3e9, 70000, -1} {
		fmt.Println(int(f), int8(f), int16(f), int32(f), uint(f), uint8(f), uint16(f), uint32(f), uint64(f))
	}
}`, patient)
	if got.stdout != want.String() {
		t.Errorf("got\n%s, want\n%s", got.stdout, want.String())
	}
}
