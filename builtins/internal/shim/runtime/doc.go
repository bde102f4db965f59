// Package runtime holds the substitutes of members of runtime and runtime/debug; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package runtime
