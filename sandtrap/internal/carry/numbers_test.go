package carry

import (
	"math/big"
	"strings"
	"testing"
)

// TestLongNumbers: a number whose text takes longer to write than a run has does not cross, and one that is
// nearly as long comes back.
func TestLongNumbers(t *testing.T) {
	long := new(big.Int).Lsh(big.NewInt(1), 4*maxText)
	for _, v := range []any{
		long, *long, []*big.Int{long}, new(big.Rat).SetFrac(big.NewInt(1), long),
		new(big.Float).SetMantExp(big.NewFloat(1), 1<<24), new(big.Float).SetMantExp(big.NewFloat(1), -1<<24),
	} {
		if b, err := Encode(v); err == nil || !strings.Contains(err.Error(), errTooLong.Error()) {
			t.Errorf("%T: %d bytes, %v", v, len(b), err)
		}
	}
	most := new(big.Int).Lsh(big.NewInt(1), 3*maxText)
	b, err := Encode(most)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(b, MaxCall); err != nil || got.(*big.Int).Cmp(most) != 0 {
		t.Errorf("a long one: %v", err)
	}
}
