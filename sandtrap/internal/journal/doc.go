// Package journal records what the host functions of a run return, and in which order, and repeats a run from such a
// record without calling them. A run with a seed, a clock of its own and this record depends on nothing else.
//
// It may not know a policy or an engine's values: it sees calls with their arguments as Go values.
package journal
