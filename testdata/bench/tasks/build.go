package tasks

import "strings"

func Build() int {
	pieces := []string{"alpha", "be", "gamma", "del", "epsilon"}
	total := 0
	for round := 0; round < 500; round++ {
		var b strings.Builder
		for i := 0; i < 200; i++ {
			b.WriteString(pieces[(i+round)%5])
			b.WriteByte(' ')
		}
		total += len(b.String())
	}
	return total
}
