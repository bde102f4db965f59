package abi

import "testing"

func TestNumberIsTheInverseOfBinding(t *testing.T) {
	for _, n := range []int{0, 7, 10, 12345} {
		if got, ok := Number(Binding(n)); !ok || got != n {
			t.Errorf("Number(%q) is %d, %t", Binding(n), got, ok)
		}
	}
	for _, name := range []string{"", "B", "7", "Tick", "B-1", "B07", "B+7", "Bx"} {
		if n, ok := Number(name); ok {
			t.Errorf("Number(%q) is %d", name, n)
		}
	}
}
