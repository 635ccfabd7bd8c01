export { accessControlContract, type AccessBed, type AccessTopic } from './access-control-contract.ts';
export { type ContractCase } from './case.ts';
export type {
  FileBed,
  FileTopic,
  RemoteBed,
  RemoteTopic,
  ScriptBed,
  ProgramBehaviour,
  ServiceBed,
  ServiceTopic,
} from './beds.ts';
export { fileStoreContract } from './file-store-contract.ts';
export { hostContract, type HostBed, type HostTopic } from './host-contract.ts';
export { notingProgram } from './noting-program.ts';
export { podHostContract, type PodHostBed, type PodHostTopic } from './pod-host-contract.ts';
export { remoteHostsContract } from './remote-hosts-contract.ts';
export { scriptsContract } from './scripts-contract.ts';
export { serviceManagerContract } from './service-manager-contract.ts';
export { workerHostContract, type WorkerHostBed, type WorkerHostTopic } from './worker-host-contract.ts';
