package diag

import (
	"errors"
	"fmt"
	"testing"
)

func TestPositionText(t *testing.T) {
	for _, tc := range []struct {
		pos  Position
		want string
	}{
		{Position{"a.go", 3, 7}, "a.go:3:7"},
		{Position{Name: "a.go"}, "a.go"}, // unknown
		{Position{}, ""},
	} {
		if got := tc.pos.String(); got != tc.want {
			t.Errorf("%#v: got %q, want %q", tc.pos, got, tc.want)
		}
	}
}

// TestRejectionsAreErrors: all of the rejections are one error, a line for each, and
// errors.As finds the list and the first of them, wrapped or not.
func TestRejectionsAreErrors(t *testing.T) {
	first := &Rejection{Code: BadSyntax, Pos: Position{"a.go", 1, 2}, Message: "wrong", Hint: "mend it"}
	second := &Rejection{Code: DeniedImport, Pos: Position{"a.go", 9, 1}, Message: "denied"}
	err := fmt.Errorf("while reading: %w", Rejections{first, second})
	if want := "while reading: a.go:1:2: wrong (mend it)\na.go:9:1: denied"; err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	var list Rejections
	if !errors.As(err, &list) || len(list) != 2 {
		t.Errorf("the list is not found: %v", list)
	}
	var one *Rejection
	if !errors.As(err, &one) || one != first {
		t.Errorf("got %v, want the first", one)
	}
	if !errors.Is(err, second) {
		t.Error("the second is not found")
	}
}

// TestNumbersOfCodes: hosts may store the numbers, so none of them changes. Each row is the
// first and the last of a range.
func TestNumbersOfCodes(t *testing.T) {
	for _, tc := range []struct {
		code  Code
		want  int
		group Group
	}{
		{BadSyntax, 1, Syntax}, {TooLarge, 3, Rejected}, {NoMain, 8, Type}, {OtherLanguage, 17, Syntax},
		{Undefined, 100, Type}, {DeniedImport, 200, Denied}, {TypeTooLarge, 250, Rejected},
		{Ungated, 300, Rejected}, {Unverified, 301, Rejected}, {EngineCannot, 400, Rejected},
	} {
		if int(tc.code) != tc.want || tc.code.Group() != tc.group {
			t.Errorf("%v: number %d of group %d, want %d of group %d", tc.code, int(tc.code), tc.code.Group(), tc.want, tc.group)
		}
	}
}

// TestNamesOfCodes: no two codes have one name, and none has a row in two tables.
func TestNamesOfCodes(t *testing.T) {
	names := map[string]Code{}
	for _, rows := range []map[Code]codeRow{codes, checkCodes} {
		for code, row := range rows {
			if other, ok := names[row.name]; ok {
				t.Errorf("%s is the name of %d and %d", row.name, other, code)
			}
			names[row.name] = code
		}
	}
	for code := range checkCodes {
		if _, ok := codes[code]; ok {
			t.Errorf("%v has two rows", code)
		}
	}
	if got := Code(99).String(); got != "" {
		t.Errorf("a number of no code has the name %q", got)
	}
}
