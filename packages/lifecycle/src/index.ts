export { AGENT_SERVICE } from './agent-service/agent-spec.ts';
export { gatherAgentFacts, type AgentFacts } from './agent-service/facts.ts';
export { INSTALL_AGENT, REMOVE_AGENT } from './agent-service/workflows.ts';
export { changeNode, nodeJournals, recoverOnly, type NodeChange } from './change-node.ts';
export { type NodeSession } from './node-session.ts';
