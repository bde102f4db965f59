//go:build race

package atonce

// raced: the race detector's own runtime makes system calls that no worker may make.
const raced = true
