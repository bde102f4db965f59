package api

import (
	"net/http"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

// An MCP serves requests of MCP clients of a tenant.
type MCP interface {
	ServeTenant(w http.ResponseWriter, q *http.Request, tenant string)
}

func mcpRoutes() []route {
	return []route{
		{"POST", "/mcp", keys.User, "postMCP", "Send a message of the Model Context Protocol, over streamable HTTP.", mcpParameters(), media("application/json"), []reply{{http.StatusOK, media("application/json")}, {http.StatusOK, eventStream}, {http.StatusAccepted, nil}}, (*Server).mcp},
		{"GET", "/mcp", keys.User, "getMCP", "Get the messages of the server in a session of MCP, as text/event-stream.", mcpParameters(), nil, eventStream, (*Server).mcp},
		{"DELETE", "/mcp", keys.User, "deleteMCP", "End a session of MCP.", mcpParameters(), nil, nil, (*Server).mcp},
	}
}

// mcpParameters are part of the address that a client of MCP is configured with.
func mcpParameters() []parameter {
	return []parameter{{"policy", "the policy of the scripts, as a run names it; the default if it is left out"}}
}

func (s *Server) mcp(c *call) error {
	if s.MCP == nil {
		return notFound()
	}
	s.MCP.ServeTenant(c.w, c.q, c.key.Tenant)
	return nil
}
