package builtins

// Time zones are embedded anyway; importing the package has no effect.
var stdTimeTzdata = Package{Path: "time/tzdata"}
