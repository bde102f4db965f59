// Package decide has the words in which calls of host members are decided while a script runs: what a member declares, what
// is asked and answered, and why a call is refused. Package guard decides with them.
//
// It may not decide anything itself, or import what does: hosts without a guard link nothing of it.
package decide
