export { type SystemLog } from './logging/agent-log.ts';
export { runEdgecore, type EdgecoreEnvironment } from './run-edgecore.ts';
