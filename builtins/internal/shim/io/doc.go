// Package io holds the substitutes of members of io; their rows are in package std.
package io
