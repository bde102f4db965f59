// Package client uses sandtrapd from Go: it runs scripts, follows their events, answers their calls, keeps sessions with their files and
// snapshots, and reads policies, limits and the record. The API is that of /openapi.json; docs/serve.md explains it.
//
// It may not import anything but the standard library, or keep state of its own: a Client is a URL and a key.
package client
