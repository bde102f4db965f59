package gates

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestTail(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limit  int64
		writes []string
		want   string
	}{
		{"no limit", 0, []string{"a", "b"}, "ab"},
		{"at the limit", 2, []string{"a", "b"}, "ab"},
		{"over", 2, []string{"a", "b", "c"}, Marker + "bc"},
		{"one long write", 3, []string{"x", "abcdef"}, Marker + "def"},
		{"cut inside a character", 3, []string{"aé€"}, Marker + "€"},
		{"cut between bytes of it", 2, []string{"a€"}, Marker},
		{"not UTF-8 is kept", 2, []string{"a\xff\xfe"}, Marker + "\xff\xfe"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := NewTail(tc.limit)
			for _, w := range tc.writes {
				if n, err := o.Write([]byte(w)); n != len(w) || err != nil {
					t.Fatalf("Write(%q) = %d, %v", w, n, err)
				}
			}
			if got := o.String(); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if _, cut := o.Total(); cut != strings.HasPrefix(tc.want, Marker) {
				t.Errorf("cut = %v", cut)
			}
		})
	}
}

func TestTailKeepsTheEndOfMuch(t *testing.T) {
	o := NewTail(1024)
	var all strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(o, "line %d\n", i)
		fmt.Fprintf(&all, "line %d\n", i)
	}
	if held := cap(o.buf); held > 4*1024 {
		t.Errorf("holds %d bytes for a limit of 1024", held)
	}
	want := Marker + all.String()[all.Len()-1024:]
	if got := o.String(); got != want {
		t.Errorf("got %d bytes ending %q", len(got), got[len(got)-20:])
	}
	if n, _ := o.Total(); n != int64(all.Len()) {
		t.Errorf("total = %d, want %d", n, all.Len())
	}
}

func TestTailConcurrent(t *testing.T) {
	o := NewTail(100)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				fmt.Fprint(o, "0123456789")
				_ = o.String()
			}
		})
	}
	wg.Wait()
	if n, _ := o.Total(); n != 80_000 {
		t.Errorf("total = %d, want 80000", n)
	}
}
