//go:build race

package machine

// Raced: the race detector watches this process. Its runtime makes system calls that no worker of isolation
// kernel may make, has memory of its own for each byte, and lets every sync.Pool drop a part of its values.
const Raced = true
