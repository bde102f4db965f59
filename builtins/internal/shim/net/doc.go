// Package net holds the substitutes of members of net/url and net/netip; their rows are in package std.
package net
