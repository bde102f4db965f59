// Package cluster has jobs done by workers on other machines. Fronts and workers meet at servers of NATS: one that is in a front, or those
// of an external cluster.
//
// Each front sends a job to the workers as one queue group, so that one of them gets it. The worker tells at once that it has it, sends what
// the job prints as it comes, and its outcome; and it tells all fronts several times a second that it is there. A job whose worker is silent is sent to
// another one: only jobs that call nothing outside come here, so that one that was done in part can be done again.
//
// A worker can publish only in its own name, so that one that lies spoils the jobs alone that it was given. All that it sends is bounded.
//
// It may not know HTTP, the store or policies.
package cluster
