import { type NamedFinding, runChecks } from '@fenestra/session';
import type { ImageCheck } from './check.ts';
import { cloudbase } from './checks/cloudbase.ts';
import { containerd, containerdVersion, runtime } from './checks/containerd.ts';
import { kubernetes } from './checks/kubernetes.ts';
import { autoLogon, leftovers, secrets } from './checks/nothing-left.ts';
import { ownPrograms } from './checks/own-programs.ts';
import { remoteAccess } from './checks/remote-access.ts';
import { features, firewall, folders, provenance, registry, rights, searchPath, system } from './checks/system.ts';
import type { ImageState } from './image-state.ts';

/** The checks of an image, each of which can be waived. */
export const IMAGE_CHECKS: readonly ImageCheck[] = [
  system,
  containerd,
  containerdVersion,
  runtime,
  kubernetes,
  ownPrograms,
  cloudbase,
  features,
  registry,
  searchPath,
  firewall,
  folders,
  rights,
  provenance,
  secrets,
  remoteAccess,
  autoLogon,
  leftovers,
];

/** What the test of an image finds, without the checks that are waived. */
export function verifyImage(state: ImageState, waived: readonly string[]): readonly NamedFinding[] {
  return runChecks(
    IMAGE_CHECKS.filter(({ name }) => !waived.includes(name)),
    state,
  );
}
