export { clock, disk, type DiskSpace, elevated, memory, type MemoryNeeds, osVersion } from './machine-checks.ts';
export { containerRuntime, type FoundRuntime, leftoverState, nodeName, type NodePort, ports } from './node-checks.ts';
