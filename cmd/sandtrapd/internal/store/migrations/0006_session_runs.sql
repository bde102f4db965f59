-- Runs of sessions that are not over: one that waits, or has begun, has its session to itself.
CREATE INDEX run_session ON run (tenant, session) WHERE session != '' AND ended = 0;
