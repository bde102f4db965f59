//go:build !linux && !darwin

package cli

import (
	"errors"
	"fmt"
	"runtime"
)

// flushInput is an error: an answer could have been typed before its question.
func flushInput(int) error {
	return fmt.Errorf("what was typed at the terminal before cannot be dropped on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
