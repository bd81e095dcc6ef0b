//! Clients of a real host in a home of its own, for the benches and the faults: browsers by their carriers, agents by
//! MCP.

pub(crate) mod carrier;
pub(crate) mod mcp;
pub(crate) mod world;
