// Package confine locks the process that calls it down, in a worker, for good.
//
// Apply takes the layers that a profile names, in the order of the table in layers.go,
// and fails if one of them cannot be had: what the worker may do without is decided by
// the host, which then does not ask for it. Namespaces and control groups are made by the
// host when it starts the worker; here they are only used.
//
// The process must not be linked with C: the kernel keeps privileges and Landlock rules
// for each thread, and only the Go runtime can change those of threads that it started.
//
// It may not be undone: nothing in it gives a privilege back.
package confine
