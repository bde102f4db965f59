package posture

// SpawnerArg is the only argument of a worker program that is started to be a spawner: a
// process that starts workers for the host.
const SpawnerArg = "spawner"

// What a host and its spawner say to each other: packets of CBOR, each with an answer
// before the next.

// A SpawnRequest asks for the thread of a seat, so that it can be put in a control group,
// or has that thread start a worker. The worker's descriptors come with it: its standard error,
// its socket, its executable and its directories. A seat but that of number 0 has a network
// namespace, for one worker after the other.
type SpawnRequest struct {
	Seat  int    `cbor:"1,keyasint"` // a thread; it is made when it is first named
	Start bool   `cbor:"2,keyasint,omitempty"`
	Flags uint64 `cbor:"3,keyasint,omitempty"` // of clone: the namespaces
}

// SpawnFiles is how many descriptors come with a worker that is to be started, before those of
// directories.
const SpawnFiles = 3

// MaxDirs is how many directories a worker may be handed.
const MaxDirs = 8

// MaxPacket is how many bytes a packet may have.
const MaxPacket = 4 << 10

// A SpawnAnswer is also what a spawner says when it is ready.
type SpawnAnswer struct {
	Pid    int    `cbor:"1,keyasint,omitempty"` // of the worker that was started
	Thread int    `cbor:"2,keyasint,omitempty"` // of the seat
	Error  string `cbor:"3,keyasint,omitempty"`

	Layers []Layer `cbor:"4,keyasint,omitempty"` // that hold the spawner, when it is ready
}
