// Package manifests has a test that checks the manifests of cmd/sandtrapd/deploy against the types of Kubernetes and of Compose. It is a module of its own,
// outside the workspace, so that nothing else depends on these: run it with GOWORK=off go test.
package manifests
