export { discoverCluster } from '../discovery/discover-cluster.ts';
export { openWorkerCluster } from './open-worker-cluster.ts';
