package tasks

import "strconv"

func Words() int {
	words := []string{}
	for i := 0; i < 64; i++ {
		words = append(words, "word"+strconv.Itoa(i*7919))
	}
	counts := map[string]int{}
	seed := 1
	for i := 0; i < 100000; i++ {
		seed = seed * 16807 % 2147483647
		counts[words[seed%64]]++
	}
	sum := 0
	for i, w := range words {
		sum += counts[w] * (i + 1)
	}
	return sum
}
