import type { ContractCase } from './case.ts';
import type { ServiceBed } from './service-bed.ts';
import { controlCases } from './services/control-cases.ts';
import { failureCases } from './services/failure-cases.ts';
import { forgetCases } from './services/forget-cases.ts';
import { interruptionCases } from './services/interruption-cases.ts';
import { lastLinesCases } from './services/last-lines-cases.ts';
import { readBackCases } from './services/read-back-cases.ts';
import { registrationCases } from './services/registration-cases.ts';
import { startCases } from './services/start-cases.ts';
import { stopCases } from './services/stop-cases.ts';

/** What every `ServiceManager` must do. Each case has a service of its own, so the cases may run in any order. */
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
