// Package printer writes values of scripts as compiled Go would: for package fmt, for the echo of a session, for the text
// of a panic. Of values of the host's it prints what the policy shows.
//
// It may not change a value.
package printer
