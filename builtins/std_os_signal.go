package builtins

var stdOsSignal = Package{
	Path:    "os/signal",
	Bounded: "Ignore Notify Reset Stop",
	Members: []Member{
		{Name: "Ignore", Value: signalNothing, Why: "no signal is ever delivered"},
		{Name: "Notify", Value: signalNotify, Why: "no signal is ever delivered"},
		{Name: "NotifyContext", Value: signalNotifyContext, Why: "no signal is ever delivered"},
		{Name: "Reset", Value: signalNothing, Why: "no signal is ever delivered"},
		{Name: "Stop", Value: signalStop, Why: "no signal is ever delivered"},
	},
	Denied: []Denial{
		{Names: "Ignored", Why: "scripts may not see what becomes of the host's signals"},
	},
}
