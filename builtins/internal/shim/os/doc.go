// Package os holds the substitutes of members of os, io/fs, path, path/filepath and testing/fstest; their rows are in package std.
package os
