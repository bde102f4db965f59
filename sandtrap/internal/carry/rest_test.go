package carry

import (
	"errors"
	"testing"
)

// TestRest: values that something follows are none.
func TestRest(t *testing.T) {
	data, err := Encode([]int{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data, 1<<20); err != nil {
		t.Error(err)
	}
	if v, err := Decode(append(data, 0), 1<<20); !errors.Is(err, ErrFormat) {
		t.Errorf("with one byte more: %v, %v", v, err)
	}
}
