// Package os holds the substitutes of members of os, io/fs, path, path/filepath and testing/fstest; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package os
