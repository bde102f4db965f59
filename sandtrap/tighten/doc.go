// Package tighten derives a policy from the record of runs: the smallest one under which the same runs do the same.
//
// It may not run scripts, or open anything that the recorded runs did not use.
package tighten
