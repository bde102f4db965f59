// Package rewrite turns untrusted Go source into a program that can
// act on the outside world only through gates.
//
// There are four stages, and each takes only what the one before returned:
//
//	Source ─parse.Parse─► Parsed ─check.Check─► Checked ─Lower─► Program   (Verify is Lower's last step)
//
// Parse bounds the text, finds the code in it, and refuses syntax that no row
// of the node table allows. Check runs go/types over a [check.Universe]: what the
// universe does not hold does not exist. Lower writes the gates in. Verify is a
// second reader that shares no code with Lower.
//
// Nothing here runs a script or knows a policy.
//
// It may not run a script, or know a policy.
package rewrite
