package rules

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/glob"
)

// A place is a path as it is compared.
type place struct {
	segments []string
	absolute bool
	climbs   int // how many .. a relative one begins with
	most     int // how many segments it had on the way
}

// A base is the directory that relative paths are in, if it is known.
type base struct {
	known    bool
	segments []string
}

func parseBase(text string) (base, error) {
	if text == "" {
		return base{}, nil
	}
	if !path.IsAbs(text) {
		return base{}, fmt.Errorf("base %q is not an absolute path", text)
	}
	var root place
	root.walk(text)
	return base{known: true, segments: root.segments}, nil
}

// place makes p the place of a path, as path.Clean cleans it. It allocates nothing if the segments of p have the room.
func (b *base) place(p *place, text string) {
	*p = place{segments: p.segments[:0], absolute: path.IsAbs(text)}
	if !p.absolute && b.known {
		p.absolute = true
		p.segments = append(p.segments, b.segments...)
		p.most = len(p.segments)
	}
	p.walk(text)
}

// walk goes where text leads from p.
func (p *place) walk(text string) {
	words, most := p.segments, p.most
	for from := 0; from <= len(text); from++ {
		to := from
		for to < len(text) && text[to] != '/' {
			to++
		}
		switch s := text[from:to]; {
		case s == "" || s == ".":
		case s != "..":
			words = append(words, s)
			most = max(most, len(words))
		case len(words) > 0:
			words = words[:len(words)-1]
		case !p.absolute: // there is nothing above the root
			p.climbs++
		}
		from = to
	}
	p.segments, p.most = words, most
}

// A pathGlob is a pattern of paths.
type pathGlob struct {
	absolute bool
	parts    glob.Pattern
}

// parsePath reads the pattern of a path.
func (b *base) parsePath(text string) (pathGlob, error) {
	if text == "" {
		return pathGlob{}, errors.New("an empty pattern of a path")
	}
	var at place
	b.place(&at, text)
	if at.climbs > 0 {
		return pathGlob{}, fmt.Errorf("pattern %q leads out of its directory", text)
	}
	g := pathGlob{absolute: at.absolute}
	if len(at.segments) == 0 {
		return g, nil
	}
	var err error
	g.parts, err = glob.Parse(strings.Join(at.segments, "/"), "/")
	return g, err
}

// A paths is a check of a path by patterns, of which one has to match. It is unknown whether a relative path matches an
// absolute pattern, or the other way round, if they look alike and the directory is not known; and whether one does that leads
// out of its directory.
type paths struct {
	patterns []pathGlob
	base     base
}

func (p *paths) holds(v reflect.Value, c *call) truth {
	if v.Kind() != reflect.String || strings.IndexByte(v.String(), 0) >= 0 {
		return unknown
	}
	at := c.place(&p.base, v.String())
	result := is(false)
	if at.climbs > 0 {
		result = unknown
	}
	for i := range p.patterns {
		g := &p.patterns[i]
		if !g.parts.Match(at.segments) {
			continue
		}
		if at.climbs == 0 && (g.absolute == at.absolute || g.anywhere()) || at.climbs > 0 && g.anywhere() {
			return yes
		}
		result = unknown
	}
	return result
}

// anywhere reports that the pattern begins with **, so that the directory makes no difference.
func (g *pathGlob) anywhere() bool { return len(g.parts) > 0 && g.parts[0].AnyNumber() }
