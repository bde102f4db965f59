//go:build !linux || (!amd64 && !arm64)

package goroutine

// Number is the number of the calling goroutine. No other one has it.
func Number() int64 { return byTrace() }
