// Package runtime holds the substitutes of members of runtime and runtime/debug; their rows are in package std.
package runtime
