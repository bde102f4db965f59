// Package io holds the substitutes of members of io; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package io
