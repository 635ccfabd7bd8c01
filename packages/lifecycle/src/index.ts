export { AGENT_SERVICE, agentService } from './service-program/agent-service.ts';
export { CLOUD_SERVICE } from './service-program/cloud-name.ts';
export { gatherServiceFacts, type ServiceFacts } from './service-program/facts.ts';
export { type ProgramService } from './service-program/program-service.ts';
export { INSTALL_SERVICE, REMOVE_SERVICE } from './service-program/workflows.ts';
export {
  actOnNode,
  changeNode,
  nodeJournals,
  recoverOnly,
  requireDamaged,
  setJournalAside,
  type NodeChange,
} from './change-node.ts';
export { type NodeSession } from './node-session.ts';
