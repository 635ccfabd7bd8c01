export { AGENT_STATUS_FILE, AgentStatus } from './agent-status.ts';
