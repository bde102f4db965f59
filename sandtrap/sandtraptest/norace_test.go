//go:build !race

package sandtraptest

const raced = false
