// Package checkcost refuses programs that the type checker or an engine would take too
// long or too much memory for.
//
// go/types takes for granted that its input was written in good faith: some of
// its passes are exponential in the depth of a chain of declarations, others
// cubic. It cannot be cancelled, so before it runs the cost of every type, and of
// every value whose type is inferred, is computed here, on the syntax alone and in
// linear time. Each figure is an upper bound of work that go/types or an engine does.
//
// Nothing here runs the type checker, knows a policy or changes a file. What needs types
// ([HugeTypes], [Instances]) comes after the type checker, for the sake of engines.
//
// It may not run the type checker on what it has not bounded.
package checkcost
