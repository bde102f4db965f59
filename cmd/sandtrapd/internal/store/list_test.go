package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestSearch: pages of a search have all that match, in order, and look at a bounded part each.
func TestSearch(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer func(before int) { maxSearched = before }(maxSearched)
	maxSearched = 64 << 10
	long := strings.Repeat("a", 10<<10)
	for i := range 60 {
		code := long
		if i%7 == 0 {
			code += "B"
		}
		if err := s.AddRuns(&Run{ID: fmt.Sprint(i), Tenant: "alpha", State: Done, Created: time.Now(), Code: code, Request: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	pages := 0
	for q := (Query{Tenant: "alpha", Text: "Ab", Limit: 2}); pages == 0 || q.Before > 0; pages++ {
		list, next, err := s.Runs(t.Context(), q)
		if err != nil || len(list) > 2 {
			t.Fatal(len(list), err)
		}
		for _, r := range list {
			got = append(got, r.ID)
			if len(r.Code) != HeadBytes {
				t.Errorf("%d bytes of source", len(r.Code))
			}
		}
		q.Before = next
	}
	if fmt.Sprint(got) != "[56 49 42 35 28 21 14 7 0]" || pages < 9 {
		t.Errorf("%v in %d pages", got, pages)
	}
	if _, _, err := s.Runs(t.Context(), Query{Text: strings.Repeat("a", MaxQueryText+1), Limit: 1}); !errors.Is(err, ErrQuery) {
		t.Error(err)
	}
}

// TestSearchesBeside: searches, however many, leave connections for others.
func TestSearchesBeside(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := s.read.Stats().MaxOpenConnections; cap(s.searches) >= n {
		t.Errorf("%d searches take all of %d connections", cap(s.searches), n)
	}
}

// TestListHeads: a list has the beginning of each source, and no times that do not fit.
func TestListHeads(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i, code := range []string{"short", strings.Repeat("é", 1<<19)} {
		if err := s.AddRuns(&Run{ID: fmt.Sprint(i), Tenant: "alpha", State: Done, Created: time.Now(), Code: code, Request: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	list, next, err := s.Runs(t.Context(), Query{Limit: 2})
	if err != nil || len(list) != 2 || next != list[1].Seq || list[1].Code != "short" || len(list[0].Code) < HeadBytes || len(list[0].Code) > 2*HeadBytes {
		t.Errorf("%d, %d, %v", len(list), next, err)
	}
	for year, want := range map[int]int{1: 2, 1500: 2, 2020: 2, 2500: 0, 9999: 0} {
		if list, _, err := s.Runs(t.Context(), Query{Since: time.Date(year, 1, 1, 0, 0, 0, 1, time.UTC), Limit: 5}); err != nil || len(list) != want {
			t.Errorf("since %d: %d, %v", year, len(list), err)
		}
	}
}
