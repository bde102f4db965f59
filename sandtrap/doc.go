// Package sandtrap runs untrusted Go source under a policy.
//
//	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault()})
//	res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Println("hello")`})
//
// A [Policy] says what a script may reach and what it may use up. Its zero value
// allows the language and nothing else. A [Script] is a whole program or a
// snippet: statements, declarations and expressions without a package clause,
// with or without a Markdown fence around them. A snippet may return a value: it is echoed and
// left in the variable result; an error that is not nil and comes last ends the run as panic
// does. A [Result] always comes back,
// with what was printed and counted until the script ended, however it ended; an
// [Error] says why it did not end well, in the terms of the text that was sent.
//
// [New] is enough for one policy and one host. What is made once and shared is a
// [Plan], from [Compile]; with an isolation a [Pool] has its workers ready. A
// [Session] runs scripts that go on from each other, a [Func] is called after the
// run that left it, and a Member with Blocking is a function that waits. docs/policy.md has all that
// a policy can say, docs/hosts programs to begin with.
//
// What holds in every mode: a script reaches only what the policy lists, a
// refused script runs nothing, limits end a run that reaches them, and nothing
// of the host is shown in a result or an error.
//
// What does not hold: with [None] the script shares the address space and the
// processor of its host, so a fault in an engine or in a host function that the
// policy hands out is a fault of the host. docs/security.md says what each mode is
// good for.
//
// It may not reach a kernel or an interpreter other than through isolate and the engines.
package sandtrap
