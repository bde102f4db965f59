// Package mirror shows values of scripts as package reflect does: to templates and encoders, which walk through them, and to
// scripts, as reflect.Value and reflect.Type.
//
// It may not show what the policy hides of a type of the host's, or let the host's memory be written without asking the
// machine.
package mirror
