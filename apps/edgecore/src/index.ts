export { type SystemLog } from './agent-log.ts';
export { runEdgecore, type EdgecoreEnvironment } from './run-edgecore.ts';
