export { accessControlContract, type AccessBed, type AccessTopic } from './access-control-contract.ts';
export { type ContractCase } from './case.ts';
export { type FileBed, type FileTopic } from './file-bed.ts';
export { fileStoreContract } from './file-store-contract.ts';
export { hostContract, type HostBed, type HostTopic } from './host-contract.ts';
export { notingProgram } from './noting-program.ts';
export { type ProgramBehaviour, type ServiceBed, type ServiceTopic } from './service-bed.ts';
export { serviceManagerContract } from './service-manager-contract.ts';
