// Package parse reads a source: a program, a snippet, or text with code in it. What comes out is syntax that go/types can
// check, with places in the text as sent.
//
// It may not look at types, or accept what no later stage decides about.
package parse
