// Package wire is what a host and its worker say to each other: messages, how they
// are framed, and the child's half of the conversation.
//
// Both ends take what the other sends for hostile: a frame has a limit before any of it
// is read, its CBOR has limits of depth and count, and unknown messages are
// passed over.
//
//	worker                     host
//	  hello {version}      →
//	                       ←   profile                what it may be and use
//	  (locks itself down)
//	  ready {layers}       →                          or failed {message}
//	                       ←   job {id, body}         one at a time
//	  call {id, name, body}→                          any number, for the job
//	                       ←   ask {id, body}         any number for a call, one at a time
//	  answer {id, body}    →
//	                       ←   return {id, body, error}
//	  stream {name, body}  →
//	                       ←   tell {name, body}
//	                       ←   cancel {id}
//	  outcome {id, body}   →
//
// It may not trust a message, of either side.
package wire
