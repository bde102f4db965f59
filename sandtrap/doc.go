// Package sandtrap runs untrusted Go source under a policy.
//
//	box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault()})
//	res, err := box.Run(ctx, sandtrap.Script{Text: `fmt.Println("hello")`})
//
// A [Policy] says what a script may reach and how much it may use. Its zero value allows the
// language and nothing else. A [Script] is a whole program or a snippet: statements,
// declarations and expressions without a package clause, with or without a Markdown fence
// around them. A snippet may return a value: it is echoed and stored in the variable result; a
// last value that is a non-nil error ends the run like a panic. A run always returns a
// [Result], with the output and the counters up to its end, however it ended; an [Error] says
// why it failed, with positions in the text as sent.
//
// [New] is enough for one policy and one host. To share a policy, make a [Plan] with [Compile]; with
// an isolation, a [Pool] keeps workers ready. A [Session] runs scripts that share their state, a
// [Func] is a function of a script that the host calls after the run, and a [Member] with Blocking
// is a function that waits. docs/policy.md describes all of a policy, docs/hosts has programs to
// start from.
//
// Guaranteed in every mode: a script reaches only what the policy lists, a refused script
// runs nothing, limits end a run that reaches them, and results and errors show nothing
// of the host.
//
// Not guaranteed: with [None] the script shares the address space and the processor of
// its host, so a fault in an engine or in a host function that the policy hands out is a
// fault of the host. docs/security.md compares the modes.
//
// It may not reach a kernel or an interpreter other than through isolate and the
// engines.
package sandtrap
