package std

import (
	"context"
	"errors"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
	shimerrors "github.com/sandtrap-go/sandtrap/builtins/internal/shim/errors"
)

var stdContext = rows.Package{
	Path:    "context",
	Engine:  "*=formats AfterFunc=spawn",
	Bounded: "Background Cause TODO",
	Members: []rows.Member{
		{Name: "CancelCauseFunc", Value: (*context.CancelCauseFunc)(nil)},
		{Name: "CancelFunc", Value: (*context.CancelFunc)(nil)},
		{Name: "Context", Value: (*context.Context)(nil)},

		{Name: "AfterFunc", Value: shimcontext.AfterFunc, Why: "starts a task of the script"},
		{Name: "Background", Value: shimcontext.Background, Why: "of our own types, which need no goroutines of the host"},
		{Name: "Cause", Value: shimcontext.Cause, Why: "of our own types, which need no goroutines of the host"},
		{Name: "TODO", Value: shimcontext.TODO, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithCancel", Value: shimcontext.WithCancel, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithCancelCause", Value: shimcontext.WithCancelCause, Why: "of our own types, which need no goroutines of the host"},
		{Name: "WithDeadline", Value: shimcontext.WithDeadline, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithDeadlineCause", Value: shimcontext.WithDeadlineCause, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithTimeout", Value: shimcontext.WithTimeout, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithTimeoutCause", Value: shimcontext.WithTimeoutCause, Needs: "clock", Why: "runs on the clock of the run, and ends with it"},
		{Name: "WithValue", Value: shimcontext.WithValue, Why: "keys of the script's types are compared as it compares them"},
		{Name: "WithoutCancel", Value: shimcontext.WithoutCancel, Why: "of our own types, which need no goroutines of the host"},

		{Name: "Canceled", Value: &context.Canceled},
		{Name: "DeadlineExceeded", Value: &context.DeadlineExceeded},
	},
	Denied: []rows.Denial{
		{Names: "valueCtx.String cancelCtx.String timerCtx.String withoutCancelCtx.String afterFuncCtx.String stopCtx.String", Why: "a context of the host's shows what is in it"},
	},
}

var stdErrors = rows.Package{
	Path:    "errors",
	Engine:  "*=formats As=errors-as Is=errors-is",
	Bounded: "New",
	Prints:  "*",
	Prompt:  "New Unwrap",
	Source:  shimerrors.Source,
	Members: []rows.Member{
		{Name: "As", Value: shimerrors.As, Why: "calls only methods that scripts see"},
		{Name: "Is", Value: shimerrors.Is, Why: "calls only methods that scripts see"},
		{Name: "Join", Value: shimerrors.Join, Why: "a tree of joined errors can have a text far larger than itself"},
		{Name: "New", Value: errors.New},
		{Name: "Unwrap", Value: shimerrors.Unwrap, Why: "calls only methods that scripts see"},

		{Name: "ErrUnsupported", Value: &errors.ErrUnsupported},
	},
}
