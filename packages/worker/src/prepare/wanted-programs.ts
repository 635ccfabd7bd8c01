import { parseKubernetesVersion } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts } from '@fenestra/platform';
import { PROGRAM_NAMES, resolveProgram, type ProgramName, type ProgramSource } from '@fenestra/releases';

/** Which programs an operator wants, and where they come from. */
export interface ProgramWishes {
  readonly from: string;
  readonly version: string;
  /** Those besides the kubelet. */
  readonly with: readonly ProgramName[];
  readonly withoutChecksum: boolean;
}

/** Finds the programs that are wanted, and what proves each. */
export async function wantedPrograms(
  wishes: ProgramWishes,
  { os, arch }: Pick<HostFacts, 'os' | 'arch'>,
  signal: AbortSignal,
): Promise<readonly ProgramSource[]> {
  const { from, withoutChecksum } = wishes;
  const version = parseKubernetesVersion(wishes.version).text;
  const names = PROGRAM_NAMES.filter((name) => name === 'kubelet' || wishes.with.includes(name));
  const request = { from, version, withoutChecksum, target: { os, arch }, variables: process.env };
  const sources: ProgramSource[] = [];
  for (const name of names) sources.push(await resolveProgram({ ...request, name }, signal));
  return sources;
}

/** The programs that `--with` names. */
export function parseProgramNames(names: readonly string[]): readonly ProgramName[] {
  return names.map((name) => {
    const known = PROGRAM_NAMES.find((candidate) => candidate === name);
    if (known !== undefined) return known;
    throw new OperatorError('USAGE', `Cannot install "${name}": it is not a worker program`, {
      hint: `There are ${PROGRAM_NAMES.join(', ')}; the kubelet is always installed.`,
    });
  });
}
