// Package ir has what the compiler writes and the machine reads: instructions, functions and programs, the types of a
// program, and the memory that values of scripts are in. It runs nothing, and knows neither of the two.
//
// It may not run or compile: it is what both share.
package ir
