// Package log holds the substitutes of members of log and log/slog; their rows are in package std.
//
// It may not decide what scripts have: rows do.
package log
