// Package markdown finds Go code in a text that has more: Markdown fences, and prose
// around a program. What is no code becomes blank, so that positions are those of the
// text as sent. Nothing here parses Go or decides what a program is: the parser tries
// one candidate after the other.
//
// It may not know a policy, or run what it finds.
package markdown
