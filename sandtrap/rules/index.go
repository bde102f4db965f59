package rules

import (
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/glob"
)

// minIndexed is how many steps about one value are worth an index.
const minIndexed = 8

// An index finds those of some steps that may be done, by a text of the call. Each of them has a condition at its top that the
// text equals others, that it is a path, or a URL. For a value that is no text, or an unclear one, all of them are tried.
type index struct {
	at    *test // whose value it is
	kind  indexKind
	base  base
	all   []int32
	rest  []int32            // those of which the index does not know the text
	texts map[string][]int32 // by text, or by host
	tree  branch             // by the first segments of a path, up to a wildcard
}

type indexKind uint8

const (
	byText indexKind = iota
	byPath
	byHost
)

// A branch of the tree of paths.
type branch struct {
	steps []int32
	next  map[string]*branch
}

// indexed builds the indexes of f.
func (f *phase) indexed() {
	byKey := map[string]*index{}
	var keys []string
	keyOf := make([]string, len(f.steps))
	for i := range f.steps {
		t, kind, k := indexCheck(f.steps[i].when)
		if t == nil {
			continue
		}
		x := index{at: t, kind: kind, texts: map[string][]int32{}}
		if p, ok := k.(*paths); ok {
			x.base = p.base
		}
		key := t.at.name + "\x00" + strings.Join(x.base.segments, "/") + string(rune('0'+kind))
		if byKey[key] == nil {
			byKey[key], keys = &x, append(keys, key)
		}
		byKey[key].add(int32(i), k)
		keyOf[i] = key
	}
	for _, key := range keys {
		if len(byKey[key].all) >= minIndexed {
			f.indexes = append(f.indexes, byKey[key])
		}
	}
	for i, key := range keyOf {
		if key == "" || len(byKey[key].all) < minIndexed {
			f.always = append(f.always, int32(i))
		}
	}
}

// indexCheck is a check of a condition at the top of n that an index can be made of.
func indexCheck(n node) (*test, indexKind, check) {
	list, ok := n.(allOf)
	if !ok {
		list = allOf{n}
	}
	for _, n := range list {
		t, ok := n.(*test)
		if !ok || t.at.many {
			continue
		}
		for _, k := range t.checks {
			switch k := k.(type) {
			case *paths:
				return t, byPath, k
			case urls:
				return t, byHost, k
			case *oneOf:
				if !k.negated && k.numbers == nil && k.bools == nil {
					return t, byText, k
				}
			}
		}
	}
	return nil, 0, nil
}

// add adds a step by its check.
func (x *index) add(step int32, k check) {
	x.all = append(x.all, step)
	switch k := k.(type) {
	case *oneOf:
		for text := range k.texts {
			x.texts[text] = append(x.texts[text], step)
		}
	case urls:
		for i := range k {
			if k[i].literal == "" {
				x.rest = append(x.rest, step)
			} else {
				x.texts[k[i].literal] = append(x.texts[k[i].literal], step)
			}
		}
	case *paths:
		for i := range k.patterns {
			x.tree.add(step, k.patterns[i].parts)
		}
	}
}

func (b *branch) add(step int32, pattern glob.Pattern) {
	for i := range pattern {
		text, ok := pattern[i].Literal()
		if !ok {
			break
		}
		if b.next == nil {
			b.next = map[string]*branch{}
		}
		if b.next[text] == nil {
			b.next[text] = &branch{}
		}
		b = b.next[text]
	}
	b.steps = append(b.steps, step)
}

// find appends the steps that may be done in c.
func (x *index) find(c *call, list []int32) []int32 {
	v := x.at.at.value(c)
	if !v.IsValid() || v.Kind() != reflect.String {
		return append(list, x.all...)
	}
	switch text := v.String(); x.kind {
	case byText:
		return append(list, x.texts[text]...)
	case byHost:
		a, err := c.address(text)
		if err != nil {
			break
		}
		return append(append(list, x.rest...), x.texts[a.host]...)
	case byPath:
		at := c.place(&x.base, text)
		if at.climbs > 0 || strings.IndexByte(text, 0) >= 0 {
			break
		}
		b := &x.tree
		list = append(list, b.steps...)
		for _, s := range at.segments {
			if b = b.next[s]; b == nil {
				break
			}
			list = append(list, b.steps...)
		}
		return list
	}
	return append(list, x.all...)
}

// candidates are the steps to evaluate, in their order.
func (f *phase) candidates(c *call) []int32 {
	list := append(c.tried[:0], f.always...)
	for _, x := range f.indexes {
		list = x.find(c, list)
	}
	if len(f.indexes) > 0 {
		slices.Sort(list)
		list = slices.Compact(list)
	}
	c.tried = list
	return list
}
