package posture

// Names of the layers. Those that the host makes when it starts the process:
const (
	UserNamespace   = "user_namespace"
	PidNamespace    = "pid_namespace"
	NetNamespace    = "net_namespace"
	IPCNamespace    = "ipc_namespace"
	UTSNamespace    = "uts_namespace"
	CgroupNamespace = "cgroup_namespace"
	MountNamespace  = "mount_namespace"
	Memory          = "memory"
	CPU             = "cpu"
	IO              = "io"
)

// Those that the worker applies itself:
const (
	Descriptors  = "descriptors"
	Root         = "root"
	Bounding     = "bounding_set"
	Threads      = "threads"
	Rlimits      = "rlimits"
	Capabilities = "capabilities"
	Securebits   = "securebits"
	Landlock     = "landlock"
	Undumpable   = "not_dumpable"
	NoWriteExec  = "no_write_exec"
	NoNewPrivs   = "no_new_privs"
	Seccomp      = "seccomp"
)

// A Profile says what a worker has to become before it gets a job.
type Profile struct {
	Layers []string `cbor:"1,keyasint"`           // names of those it has to apply; it refuses one that it does not know
	Memory int64    `cbor:"2,keyasint"`           // bytes of data that the process may have; 0 for no limit
	Dirs   int      `cbor:"3,keyasint,omitempty"` // directories that it was handed, beneath which it may read
	Frames Frames   `cbor:"5,keyasint"`
	Audit  bool     `cbor:"4,keyasint,omitempty"` // calls that the filter does not let through are handed to the host
}

// A State says what became of a layer.
type State string

// The states. Only Applied layers protect.
const (
	Applied State = "applied"
	Missing State = "missing" // it could not be had; Reason says why
	Off     State = "off"     // not asked for
)

// A Layer is one of the things that hold a worker.
type Layer struct {
	Name   string `cbor:"1,keyasint"`
	State  State  `cbor:"2,keyasint"`
	Reason string `cbor:"3,keyasint,omitempty"` // why it is missing, or how it was made
}

// A Report is what a worker says of itself. The host believes only what it has read
// back from the kernel.
type Report struct {
	Layers []Layer `cbor:"1,keyasint"`
	Failed string  `cbor:"2,keyasint,omitempty"` // the layer that could not be applied

	Listener int `cbor:"3,keyasint,omitempty"` // with Audit: the worker's descriptor from which the host gets the calls
}

// Frames are how many bytes the frames of a worker may have that follow from what its scripts may do.
// Zero is MaxFrame.
type Frames struct {
	Outcome int `cbor:"1,keyasint,omitempty"` // what a job leaves
	Call    int `cbor:"2,keyasint,omitempty"` // arguments of a function of the host, or results of one of the script
}
