// Package templates executes templates of text/template and html/template over values of scripts: package text/template
// parses, html/template escapes, and the trees are walked here.
//
// It may not give the library a value of a script, which it would look into by reflection.
package templates
