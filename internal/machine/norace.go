//go:build !race

package machine

const Raced = false
