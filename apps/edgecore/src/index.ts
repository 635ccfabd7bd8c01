export { runEdgecore, type EdgecoreEnvironment } from './run-edgecore.ts';
