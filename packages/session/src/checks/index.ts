export { clock } from './clock.ts';
export { containerRuntime, type FoundRuntime } from './container-runtime.ts';
export { disk, type DiskSpace } from './disk.ts';
export { elevated } from './elevated.ts';
export { leftoverState } from './leftover-state.ts';
export { memory, type MemoryNeeds } from './memory.ts';
export { nodeName } from './node-name.ts';
export { osVersion } from './os-version.ts';
export { type NodePort, ports } from './ports.ts';
