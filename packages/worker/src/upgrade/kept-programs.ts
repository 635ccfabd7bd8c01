import { OperatorError } from '@fenestra/kernel';
import { parseKubernetesVersion } from '@fenestra/contracts/kube';
import type { WorkerLayout } from '@fenestra/platform';
import type { ProgramWishes } from '../prepare/wanted-programs.ts';
import { listWorkerBackups } from './upgrade-facts.ts';

/** The programs of a version that an earlier upgrade of this machine kept. Their folder is private, so no checksum is needed. */
export async function keptPrograms(
  { backupsFolder }: Pick<WorkerLayout, 'backupsFolder'>,
  wanted: string,
): Promise<ProgramWishes> {
  const version = parseKubernetesVersion(wanted).text;
  const backup = (await listWorkerBackups(backupsFolder)).find((kept) => kept.version === version);
  if (backup !== undefined) return { from: backup.folder, version, with: [], withoutChecksum: true };
  throw new OperatorError(
    'USAGE',
    `Cannot upgrade to ${version}: this machine has not kept it from an earlier upgrade`,
    {
      hint: 'Give its source with "--from SOURCE".',
    },
  );
}
