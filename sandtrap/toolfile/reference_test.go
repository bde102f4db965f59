package toolfile

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolschema"
)

// TestReference: a reference has the declarations of a file, and its comments.
func TestReference(t *testing.T) {
	const src = `// Package tools is about pages.
package tools

import "time"

type (
	// Level says how bad something is,
	// from 1 to 5.
	Level int8

	Tags []string // words

	// Not a comment on a type.

	Hit struct {
		// Title is that of
		// the page.
		Title  string  ` + "`json:\"title\"`" + ` // not this
		A, B   float64 // both
		Level  Level   ` + "`json:\"level,omitempty\"`" + `
		Tags   Tags
		Seen   time.Time
		Within struct {
			N int // of an inner one
		}
	}
)

// empty has nothing.
type empty struct{}

// Search finds pages.
//
//	hits, err := Search("go", 10, "news")
func Search(query string, limit int, tags ...string) ([]Hit, error)

func count(hits map[Level]Hit, of struct{ E empty }) (n int, more bool) // no comment before it
`
	file, err := Parse("tools.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	policy := sandtrap.Policy{Std: []string{"time"}, Funcs: file.Members(nil), Docs: file.Docs()}
	plan, err := sandtrap.Compile(policy)
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Reference()
	if want := `// There without import:

package main

import "time"

// Search finds pages.
//
// hits, err := Search("go", 10, "news")
func Search(query string, limit int, tags ...string) ([]Hit, error)

func count(hits map[Level]Hit, of struct{ E empty }) (int, bool)

type Hit struct {
	// Title is that of
	// the page.
	Title string ` + "`json:\"title\"`" + `
	// both
	A float64
	// both
	B      float64
	Level  Level ` + "`json:\"level,omitempty\"`" + `
	Tags   Tags
	Seen   time.Time
	Within struct{ N int }
}

// Level says how bad something is,
// from 1 to 5.
type Level int8

// words
type Tags []string

// empty has nothing.
type empty struct {
}

// Of the standard library there are, not always with all of their members: time
`; err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	tools, err := toolschema.Of(policy)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := json.Marshal(tools[0].Output)
	if want := `"A":{"type":"number","description":"both"}`; err != nil || tools[0].Name != "Search" || tools[0].Description == "" || !strings.Contains(string(schema), want) {
		t.Errorf("got %s %q %s, %v, want it to have %s", tools[0].Name, tools[0].Description, schema, err, want)
	}
}
