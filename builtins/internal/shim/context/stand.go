package context

import "github.com/sandtrap-go/sandtrap/builtins/internal/shim"

func init() {
	shim.StandsIn[emptyCtx](shim.Stand{Name: func(v any) string {
		if v == TODO() {
			return "context.todoCtx"
		}
		return "context.backgroundCtx"
	}})
	shim.StandsIn[*valueCtx](shim.Stand{Name: func(any) string { return "*context.valueCtx" }})
	shim.StandsIn[*cancelCtx](shim.Stand{Name: func(any) string { return "*context.cancelCtx" }})
	shim.StandsIn[*timerCtx](shim.Stand{Name: func(any) string { return "*context.timerCtx" }})
	shim.StandsIn[*withoutCancelCtx](shim.Stand{Name: func(any) string { return "context.withoutCancelCtx" }})
}
