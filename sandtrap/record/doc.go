// Package record writes down what is decided about the calls of scripts, and the steps of their runs: one Event for each.
// A Sink takes events; a Log is a Sink that keeps them in a file as lines of JSON, which are chained by hashes and covered by
// signed checkpoints. Verify finds lines that were changed, removed, moved or cut off, and a Query reads some of them.
//
// It may not change the arguments that it is given, write down what a Redactor knows as a secret, or go on after a failed write.
package record
