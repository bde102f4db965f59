// Package stats is a library of scripts.
package stats

import "slices"

// Median is the middle of numbers.
func Median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return sorted[len(sorted)/2]
}
