// Package script says what members of the library ask of the script that calls them: of its values, and of
// its tasks. An engine answers, package builtins asks, and neither imports the other.
//
// It may not import an engine or a table: both import it.
package script
