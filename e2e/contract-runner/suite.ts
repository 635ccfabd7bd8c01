import type { ContractCase } from '@fenestra/platform/contract';

/** The cases of one port, set up for the system at hand. */
export interface Suite {
  readonly name: 'service-manager' | 'file-store' | 'access-control' | 'host';
  readonly cases: readonly ContractCase[];
}
