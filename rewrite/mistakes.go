package rewrite

import (
	"slices"
	"strings"
)

// syntaxErrors reports the errors of the scanner and the parser, the first of
// each line only: the others follow from it.
func (s *script) syntaxErrors(scan *scanned, errs []parseError) Rejections {
	all := slices.Concat(scan.lexical, errs)
	slices.SortStableFunc(all, func(a, b parseError) int { return a.off - b.off })
	var rs Rejections
	for _, e := range all {
		r := s.reject(e.off, BadSyntax, "", strings.TrimSpace(e.msg), "")
		if n := len(rs); n > 0 && rs[n-1].Pos.Line == r.Pos.Line {
			continue
		}
		if rs = append(rs, r); len(rs) == maxReported {
			break
		}
	}
	return rs
}

// tokenErrors reports code that cannot be parsed for its tokens alone. A bracket
// without partner often follows from a broken literal, and then is not reported.
func (s *script) tokenErrors(scan *scanned) Rejections {
	if scan.lexical != nil {
		return s.syntaxErrors(scan, nil)
	}
	return Rejections{scan.bracket}
}
