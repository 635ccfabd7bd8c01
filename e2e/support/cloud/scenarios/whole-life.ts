import { deliveryCases } from './delivery.ts';
import type { Parts } from './parts.ts';
import { refusalCases } from './refusals.ts';
import { registrationCases } from './registration.ts';
import { reloadCases } from './reload.ts';
import { restartCases } from './restart.ts';
import { revocationCases } from './revocation.ts';
import { secrecyCases } from './secrecy.ts';

/** What every kind of node goes through with every kind of cloud, in this order. */
export function wholeLifeCases(parts: Parts): void {
  refusalCases(parts);
  registrationCases(parts);
  deliveryCases(parts);
  reloadCases(parts);
  restartCases(parts);
  revocationCases(parts);
  secrecyCases(parts);
}
