import type { ContractCase } from '@fenestra/platform/contract';

/** The cases of one port, or of one system's own, set up for the system at hand. */
export interface Suite {
  readonly name:
    | 'service-manager'
    | 'file-store'
    | 'access-control'
    | 'host'
    | 'pod-host'
    | 'worker-host'
    | 'scripts'
    | 'windows';
  readonly cases: readonly ContractCase[];
}
