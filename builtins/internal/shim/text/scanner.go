package text

import (
	"fmt"
	"io"
	"text/scanner"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func ScannerInit(e *shim.Env) func(*scanner.Scanner, io.Reader) *scanner.Scanner {
	return func(s *scanner.Scanner, src io.Reader) *scanner.Scanner { return s.Init(e.Source(src)) }
}

// ScannerCall is a method that may find an error, which Go would write to the
// host's standard error where the scanner has no handler.
func ScannerCall(method func(*scanner.Scanner) rune) func(*shim.Env) func(*scanner.Scanner) rune {
	return func(e *shim.Env) func(*scanner.Scanner) rune {
		return func(s *scanner.Scanner) rune {
			if s.Error != nil {
				return method(s)
			}
			s.Error = func(s *scanner.Scanner, text string) { scanError(e, s, text) }
			defer func() { s.Error = nil }()
			return method(s)
		}
	}
}

func scanError(e *shim.Env, s *scanner.Scanner, msg string) {
	pos := s.Position
	if !pos.IsValid() {
		pos = s.Pos()
	}
	fmt.Fprintf(e.StdStreams().Err, "%s: %s\n", pos, msg)
}
