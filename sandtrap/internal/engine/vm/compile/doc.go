// Package compile makes programs of package ir from the SSA form of checked and gated source, or a cell of a session at a
// time. It runs nothing, and knows of the machine only what ir.Abilities say.
//
// It may not run a program, or know the machine.
package compile
