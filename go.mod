module github.com/sandtrap-go/sandtrap

go 1.26.0

require (
	github.com/traefik/yaegi v0.16.1
	golang.org/x/tools v0.52.0
)
