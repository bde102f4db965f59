package builtins

import (
	"fmt"
	"io"
	"text/scanner"
)

func scannerInit(e *Env) func(*scanner.Scanner, io.Reader) *scanner.Scanner {
	return func(s *scanner.Scanner, src io.Reader) *scanner.Scanner { return s.Init(e.source(src)) }
}

// scannerCall is a method that may find an error, which Go would write to the
// host's standard error where the scanner has no handler.
func scannerCall(method func(*scanner.Scanner) rune) func(*Env) func(*scanner.Scanner) rune {
	return func(e *Env) func(*scanner.Scanner) rune {
		return func(s *scanner.Scanner) rune {
			if s.Error != nil {
				return method(s)
			}
			s.Error = e.scanError
			defer func() { s.Error = nil }()
			return method(s)
		}
	}
}

func (e *Env) scanError(s *scanner.Scanner, msg string) {
	pos := s.Position
	if !pos.IsValid() {
		pos = s.Pos()
	}
	fmt.Fprintf(e.std().err, "%s: %s\n", pos, msg)
}
