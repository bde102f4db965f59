// Package posture has the names of the layers that hold a worker, what a worker is told to become and says that it is, and
// what a host and its spawner say to each other.
//
// It may not apply a layer, or look whether one is applied.
package posture
