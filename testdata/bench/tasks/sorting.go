package tasks

import "sort"

func Sorting() int {
	a := make([]int, 100000)
	seed := 1
	for i := range a {
		seed = seed * 16807 % 2147483647
		a[i] = seed
	}
	sort.Slice(a, func(i, j int) bool { return a[i] < a[j] })
	sum := 0
	for i, v := range a {
		sum += v * (i % 7)
	}
	return sum
}
