// Package vm is the default engine: a machine that runs programs of package ir by a loop of its own, and what it
// does beside.
//
// It may not know a policy, or call the host other than through bindings and gates.
package vm
