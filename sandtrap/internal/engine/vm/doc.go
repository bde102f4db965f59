// Package vm is the default engine: it compiles programs to those of package ir, and has the machine of package exec run
// them, with what the packages beside it know of printing, reflection, templates, wrappers and calls of the host. It keeps
// sessions, saves and loads them, and gives the host what a run leaves.
//
// It may not know a policy, or call the host other than through bindings and gates.
package vm
