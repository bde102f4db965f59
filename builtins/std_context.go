package builtins

import "context"

var stdContext = Package{
	Path:    "context",
	Bounded: "Background Cause TODO",
	Members: []Member{
		{Name: "CancelCauseFunc", Value: (*context.CancelCauseFunc)(nil)},
		{Name: "CancelFunc", Value: (*context.CancelFunc)(nil)},
		{Name: "Context", Value: (*context.Context)(nil)},

		{Name: "AfterFunc", Value: contextAfterFunc, Why: "starts a task of the script"},
		{Name: "Background", Value: contextBackground, Why: "of our own types, which need no goroutines of the host"},
		{Name: "Cause", Value: contextCause, Why: "of our own types, which need no goroutines of the host"},
		{Name: "TODO", Value: contextTODO, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithCancel", Value: contextWithCancel, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithCancelCause", Value: contextWithCancelCause, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithDeadline", Value: contextWithDeadline, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithDeadlineCause", Value: contextWithDeadlineCause, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithTimeout", Value: contextWithTimeout, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithTimeoutCause", Value: contextWithTimeoutCause, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithValue", Value: contextWithValue, Why: "keys of the script's types are compared as it compares them"},
		{Name: "WithoutCancel", Value: contextWithoutCancel, Why: "of our own types, which need no goroutines of the host"},

		{Name: "Canceled", Value: &context.Canceled},
		{Name: "DeadlineExceeded", Value: &context.DeadlineExceeded},
	},
	Denied: []Denial{
		{Names: "valueCtx.String cancelCtx.String timerCtx.String withoutCancelCtx.String afterFuncCtx.String stopCtx.String", Why: "a context of the host's shows what is in it"},
	},
}
