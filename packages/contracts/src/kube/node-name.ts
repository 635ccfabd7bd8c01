import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { nodeName } from '../config/scalars.ts';
import type { KubeletArg } from './kubelet-flags.ts';

/** The names a machine has, from the weakest to the strongest. */
export interface NodeNames {
  readonly hostName: string;
  /** What the command or `nodeRegistration.name` says. */
  readonly registrationName?: string | undefined;
  /** The kubelet's extra arguments: its last `hostname-override` is what the kubelet obeys. */
  readonly extraArgs?: readonly KubeletArg[];
}

/** The name the node gets. The kubelet folds it to lower case, so everything else must do so too. */
export function nodeNameOf({ hostName, registrationName = '', extraArgs = [] }: NodeNames): string {
  const override = extraArgs.findLast(({ name }) => name === 'hostname-override')?.value ?? '';
  const names = [override, registrationName, hostName].map((name) => name.trim().toLowerCase());
  return names.find((name) => name !== '') ?? '';
}

/** Refuses what Kubernetes would refuse as a node's name. */
export function requireNodeName(name: string): void {
  const problem = nodeNameProblem(name);
  if (problem === undefined) return;
  throw new OperatorError('CONFIG_INVALID', `Cannot use the node name ${JSON.stringify(name)}: it ${problem}`, {
    hint: 'Give the node another name with "--node-name".',
  });
}

/** What is wrong with a node's name; `undefined` if nothing is. */
export function nodeNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  const parsed = z.safeParse(nodeName, name);
  return parsed.success ? undefined : (parsed.error.issues[0]?.message ?? 'is not valid');
}
