// Package call has the operations that call the host: through an adapter for the type of a function, where there is one, or
// by reflection, and errors.Is, errors.As and package reflect for values of scripts.
//
// It may not decide whether a member may be called: the program has bindings for no other.
package call
