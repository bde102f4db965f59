//go:build !race

package hostwrite

const raced = false
