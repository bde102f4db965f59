package builtins

func init() {
	StandsIn[emptyCtx](Stand{Name: func(v any) string {
		if v == contextTODO() {
			return "context.todoCtx"
		}
		return "context.backgroundCtx"
	}})
	StandsIn[*valueCtx](Stand{Name: func(any) string { return "*context.valueCtx" }})
	StandsIn[*cancelCtx](Stand{Name: func(any) string { return "*context.cancelCtx" }})
	StandsIn[*timerCtx](Stand{Name: func(any) string { return "*context.timerCtx" }})
	StandsIn[*withoutCancelCtx](Stand{Name: func(any) string { return "context.withoutCancelCtx" }})
}
