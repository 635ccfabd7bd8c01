import type { ContractCase } from '@fenestra/platform/contract';
import { brokenProgramCases } from './broken-program-cases.ts';
import { eventSourceCases } from './event-source-cases.ts';
import { exposureCases } from './exposure-cases.ts';
import { fullDiskCases } from './full-disk-cases.ts';
import { heldFileCases } from './held-file-cases.ts';
import { heldServiceCases } from './held-service-cases.ts';
import { hiddenProcessCases } from './hidden-process-cases.ts';
import { leftoverCases } from './leftover-cases.ts';
import { longPathCases } from './long-path-cases.ts';
import { machinePathCases } from './machine-path-cases.ts';
import { pausedServiceCases } from './paused-service-cases.ts';
import { scriptCases } from './script-cases.ts';
import { serviceEndCases } from './service-end-cases.ts';
import { systemRegistryCases } from './system-registry-cases.ts';
import type { WindowsBed } from './windows-bed.ts';

/** What the Windows adapters promise beyond the ports, or about things only Windows has. */
export function windowsCases(bed: WindowsBed): readonly ContractCase[] {
  return [
    ...machinePathCases(bed),
    ...systemRegistryCases(bed),
    ...eventSourceCases(bed),
    ...brokenProgramCases(bed),
    ...serviceEndCases(bed),
    ...heldServiceCases(bed),
    ...pausedServiceCases(bed),
    ...hiddenProcessCases(bed),
    ...scriptCases(bed),
    ...longPathCases(bed),
    ...heldFileCases(bed),
    ...leftoverCases(bed),
    ...fullDiskCases(bed),
    ...exposureCases(bed),
  ];
}
