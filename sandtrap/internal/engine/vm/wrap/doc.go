// Package wrap shows values of scripts to the host: as types that have the methods of the value's own, each of which calls the
// script.
//
// It may not show a field of the machine, or of the value: encoders of the host look into what they are given.
package wrap
