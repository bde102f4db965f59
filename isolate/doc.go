// Package isolate runs jobs in a process of their own that the kernel holds: the host's
// half. What a job is, is bytes to this package.
//
// A worker is started with a level, which is a set of layers. It gets no job before
// each layer was applied and, where the kernel shows it, read back. A worker that dies
// ends its job with an error that says of what; a worker of which anything is odd is
// killed.
//
// Elsewhere than on Linux, and where this machine lacks a layer, Start fails.
//
// It may not know what a job is, a policy, or a script.
package isolate
