package builtins

import (
	"go/types"
	"testing"
)

func TestReplaced(t *testing.T) {
	table, err := NewTable(Std()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path, owner, method string
		want                bool
	}{
		{"strings", "Builder", "WriteString", true}, // charged
		{"strings", "Builder", "Len", false},
		{"strings", "Builder", "NoSuchMethod", false},
		{"time", "Time", "Local", true},     // another function
		{"time", "Time", "GobDecode", true}, // denied
		{"time", "Location", "String", false},
		{"sync", "Mutex", "Lock", true},
		{"io", "Writer", "Write", true},
		{"fmt", "Stringer", "String", false},
	} {
		pkg, err := table.Import(tc.path)
		if err != nil {
			t.Fatal(err)
		}
		obj := pkg.Scope().Lookup(tc.owner).(*types.TypeName)
		if got := table.Replaced(obj, tc.method); got != tc.want {
			t.Errorf("%s.%s.%s: got %v, want %v", tc.path, tc.owner, tc.method, got, tc.want)
		}
	}
}
