//go:build race

package sandtraptest

// raced: the race detector's own runtime makes system calls that no worker may make.
const raced = true
