// Package rules has rules about calls of host members: conditions on their parsed arguments, by the name and the Go type of a
// parameter, and on what happened before in the session. A rule blocks a call, asks, warns or reminds. Package guard applies
// them.
//
// A condition holds, does not hold, or is unknown. It is unknown if a value is not there (nil, a key that a map does not have)
// or does not have the type that the condition needs, as values of interface types may; if a path or a URL is ambiguous; and if
// a set of the state is full. All, any and not combine the three in the usual way: not unknown is unknown. Rules fire unless
// their conditions are known not to hold: in doubt a call is blocked, asked about or warned about. See docs/rules.md.
//
// It may not look at the text of a script, start anything, or read files: it knows the values of one call, and a state.
package rules
