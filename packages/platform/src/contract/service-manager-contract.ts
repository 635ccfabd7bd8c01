import type { ContractCase } from './case.ts';
import type { ServiceBed } from './beds.ts';
import { controlCases, stopCases } from './services/stop-cases.ts';
import { failureCases } from './services/failure-cases.ts';
import { forgetCases, interruptionCases } from './services/forget-cases.ts';
import { lastLinesCases, readBackCases } from './services/read-back-cases.ts';
import { registrationCases } from './services/registration-cases.ts';
import { startCases } from './services/start-cases.ts';

/** What every `ServiceManager` must do. Each case has its own service, so the cases may run in any order. */
export function serviceManagerContract(bed: ServiceBed): readonly ContractCase[] {
  return [
    ...registrationCases(bed),
    ...readBackCases(bed),
    ...startCases(bed),
    ...stopCases(bed),
    ...controlCases(bed),
    ...failureCases(bed),
    ...forgetCases(bed),
    ...interruptionCases(bed),
    ...lastLinesCases(bed),
  ];
}
