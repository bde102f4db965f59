// Package broker lets another process decide about calls and approve them: a policy engine, or the desk of those who approve,
// behind a unix socket. Client is the half of a host; Serve is the other one, for brokers in Go.
//
// Both sides write lines of JSON. The host asks:
//
//	{"v":1,"id":4217,"kind":"decide","call":{"tenant":"acme","sequence":1,"process":99,"member":"sendMail","args":{"to":"bob@example.com"},...}}
//	{"v":1,"id":9034,"kind":"ask","requests":[{"id":7,"member":"sendMail",...,"reason":"...","always":"..."}]}
//	{"v":1,"id":9034,"kind":"cancel"}
//
// The objects are those of decide.Call and decide.Request. The broker answers each decide and each ask once, in any order, with
// the id of the line; a cancel says that the host no longer waits for its answer, and has no answer of its own:
//
//	{"id":4217,"ruling":{"allow":true}}
//	{"id":9034,"answers":[{"id":7,"verdict":"approve","by":"ann"}]}
//	{"id":9034,"error":"the desk is closed"}
//
// A broker that does anything else loses the connection, and all calls that wait for it are denied: ids are random, so an
// answer with the id of another line is noticed. Keys are as written above, each once.
//
// It may not allow a call without an answer to this call that says so.
package broker
