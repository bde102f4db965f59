//go:build race

package worker

// raced: the race detector's own runtime makes system calls that no worker of isolation kernel may make.
const raced = true
