// Package check type-checks parsed source against a universe, refuses what Go allows and a policy does not, and explains
// each error to the author of the text.
//
// It may not change what a program does, or let through what the universe does not show.
package check
