import type { ContractCase } from './case.ts';
import type { ServiceBed } from './service-bed.ts';
import { failureCases } from './services/failure-cases.ts';
import { readBackCases } from './services/read-back-cases.ts';
import { registrationCases } from './services/registration-cases.ts';
import { runningCases } from './services/running-cases.ts';

/** What every `ServiceManager` must do. Each case has a service of its own, so the cases may run in any order. */
export function serviceManagerContract(bed: ServiceBed): readonly ContractCase[] {
  return [...registrationCases(bed), ...readBackCases(bed), ...runningCases(bed), ...failureCases(bed)];
}
