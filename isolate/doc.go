// Package isolate runs jobs in a process of their own that the kernel confines: the
// host's half. A job is opaque bytes to this package.
//
// A worker is started with a level, which is a set of layers. It gets no job before each
// layer was applied and, where the kernel shows it, read back. A worker that dies ends
// its job with an error that names the cause; a worker that misbehaves in any way is
// killed.
//
// Start fails on systems other than Linux, and if this machine lacks a layer.
//
// It may not know the contents of a job, a policy, or a script.
package isolate
