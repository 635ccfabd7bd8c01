export { features, forwarding, swap } from './container-checks.ts';
export { clock, disk, type DiskSpace, elevated, memory, type MemoryNeeds, osVersion } from './machine-checks.ts';
export {
  containerRuntime,
  type FoundRuntime,
  leftoverState,
  nodeName,
  type NodePort,
  ports,
  serviceRemedy,
} from './node-checks.ts';
