// Package dispatch brings runs to whoever runs them: this process, or workers on other machines.
//
// It may not know policies, the store or HTTP: a job has all that a worker needs, and an outcome all that becomes of it.
package dispatch
