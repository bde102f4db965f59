// Package testdata holds corpora for programs that are not tests.
package testdata

import "embed"

// Escape are the archives of scripts that try to get out, or to take more than they may; the
// README.md beside this file says how a script tells what has to become of it.
//
//go:embed escape/*.txtar
var Escape embed.FS
