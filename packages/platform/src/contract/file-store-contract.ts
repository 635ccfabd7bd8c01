import type { ContractCase } from './case.ts';
import type { FileBed } from './beds.ts';
import { copyCases } from './files/copy-cases.ts';
import { moveCases } from './files/move-cases.ts';
import { removalCases } from './files/removal-cases.ts';
import { replaceCases } from './files/replace-cases.ts';

/** What every `FileStore` must do. Each case works in its own folder below the bed's. */
export function fileStoreContract(bed: FileBed): readonly ContractCase[] {
  return [...replaceCases(bed), ...moveCases(bed), ...copyCases(bed), ...removalCases(bed)];
}
