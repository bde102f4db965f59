// Package nearest finds the name that a misspelled one is meant to be.
//
// It may not import another package of the module.
package nearest

import "strings"

// Name returns the most likely intended name for an unknown one, "" if none is near. A
// name that differs only in case is nearest.
func Name(name string, names []string) string {
	if name == "" || len(name) > 64 {
		return ""
	}
	best, bestAt := "", 1+len(name)/3
	for _, have := range names {
		if strings.EqualFold(have, name) {
			return have
		}
		if d := Distance(name, have, bestAt); d < bestAt || d == bestAt && (best == "" || strings.HasPrefix(have, name)) {
			best, bestAt = have, d
		}
	}
	return best
}

// Distance is the number of letters to put in, take out, change or swap to get
// from a to b, or limit+1 if it is more than limit.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	row := make([]int, len(b)+1)
	for i := range len(a) {
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(prev[j]+cost, prev[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > limit {
			return limit + 1
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
