//go:build !race

package atonce

const raced = false
