package search

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Hit is a declaration that was found.
type Hit struct {
	Package string // its import path; empty for names that need no import
	Name    string // "ListIssues", "Client.Do" for a method
	Decl    string // in Go, with the types of the package that it names, as far as they have their place in maxDecl bytes
	Doc     string
}

// maxDecl bounds Hit.Decl, in bytes, beyond the declaration itself.
const maxDecl = 4 << 10

// An Index has the declarations of packages. It does not change, so it is safe for concurrent use.
type Index struct {
	entries  []entry
	words    []string // sorted
	postings map[string][]posting
	length   float64 // of an entry, on average
	counts   map[string]int
}

type entry struct {
	hit    Hit
	length float64
	worth  float64 // of a score
}

// A posting says how much of a word an entry has.
type posting struct {
	entry  int
	weight float64
}

// The weights of a word by its place.
const (
	inName    = 4
	inPackage = 2
	inDoc     = 1
	inFields  = 0.5 // and parameters, and types that are named
)

// ofTypes is what a hit is worth that is no function, of one that is: a function comes with its types.
const ofTypes = 0.6

// New is an index of packages: their import paths, and their declarations in Go without bodies. A text that is not Go is an error that names
// the package.
func New(decls map[string]string) (*Index, error) {
	x := &Index{postings: map[string][]posting{}, counts: map[string]int{}}
	for _, path := range slices.Sorted(maps.Keys(decls)) {
		if err := x.add(path, decls[path]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	x.words = slices.Sorted(maps.Keys(x.postings))
	for _, e := range x.entries {
		x.length += e.length / float64(len(x.entries))
	}
	return x, nil
}

func (x *Index) add(path, text string) error {
	if !strings.Contains("\n"+text, "\npackage ") {
		text = "package p\n\n" + text
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p := &source{text: text, set: set, types: map[string]string{}}
	var found []declaration
	for _, d := range f.Decls {
		found = append(found, p.declared(d)...)
	}
	for _, d := range found {
		e := entry{hit: Hit{Package: path, Name: d.name, Decl: p.with(d), Doc: strings.TrimSpace(d.doc)}, worth: ofTypes}
		weights, fields := map[string]float64{}, map[string]float64{}
		count := func(text string, weight float64) {
			for _, w := range split(text) {
				weights[w] += weight
			}
		}
		count(d.name, inName)
		count(path, inPackage)
		count(d.doc, inDoc)
		for _, weight := range weights {
			e.length += weight
		}
		for _, w := range split(e.hit.Decl) {
			fields[w] = inFields // once: a function with many types is about no more of it
		}
		for w, weight := range fields {
			weights[w] += weight
		}
		for w, weight := range weights {
			x.postings[w] = append(x.postings[w], posting{len(x.entries), weight})
		}
		x.entries = append(x.entries, e)
		if d.function {
			x.counts[path]++
			x.entries[len(x.entries)-1].worth = 1
		}
	}
	return nil
}

// The limits on a query.
const (
	maxQuery = 400 // bytes
	maxWords = 32
	maxHits  = 50
)

// Find is what fits the words of a query best, at most limit, and at most 50. A word of three letters and more also finds longer ones that begin
// with it. What fits as well is in the order of packages and declarations.
func (x *Index) Find(query string, limit int) []Hit {
	if len(query) > maxQuery {
		query = query[:maxQuery]
	}
	words := split(query)
	slices.Sort(words)
	words = slices.Compact(words)
	t := &tally{scores: make([]float64, len(x.entries)), best: make([]float64, len(x.entries))}
	for _, w := range words[:min(len(words), maxWords)] {
		x.score(w, t)
	}
	var order []int
	for i, score := range t.scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.scores[b], t.scores[a]) }) // as many as fit as well stay in the order of packages and declarations
	hits := []Hit{}
	for _, i := range order[:min(len(order), max(limit, 0), maxHits)] {
		hits = append(hits, x.entries[i].hit)
	}
	return hits
}

// A tally is what entries are worth: by all words, and by the one that is looked at.
type tally struct {
	scores, best []float64
	touched      []int
}

// score adds what a word of a query is worth to entries: BM25.
func (x *Index) score(w string, t *tally) {
	for at := first(x.words, w); at < len(x.words) && strings.HasPrefix(x.words[at], w); at++ {
		have := x.words[at]
		if have == w {
			x.count(have, 1, t)
		} else if len(w) < 3 {
			break
		} else {
			x.count(have, 0.5*float64(len(w))/float64(len(have)), t)
		}
	}
	for _, i := range t.touched {
		t.scores[i] += t.best[i] * x.entries[i].worth
		t.best[i] = 0
	}
	t.touched = t.touched[:0]
}

// count notes what a word of the index is worth, of which the query has a part.
func (x *Index) count(have string, part float64, t *tally) {
	const k, b = 1.2, 0.75
	list := x.postings[have]
	n := float64(len(list))
	rare := math.Log(1 + (float64(len(x.entries))-n+0.5)/(n+0.5))
	for _, p := range list {
		if t.best[p.entry] == 0 {
			t.touched = append(t.touched, p.entry)
		}
		norm := k * (1 - b + b*x.entries[p.entry].length/x.length)
		t.best[p.entry] = max(t.best[p.entry], part*rare*p.weight*(k+1)/(p.weight+norm))
	}
}

// first is where w is, or would be, in a sorted list.
func first(list []string, w string) int {
	at, _ := slices.BinarySearch(list, w)
	return at
}
