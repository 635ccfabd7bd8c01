import { type NamedFinding, runChecks } from '@fenestra/session';
import { autoLogon, leftovers, remoteAccess, secrets } from './left-behind.ts';
import { cloudbase, containerd, containerdVersion, kubernetes, ownPrograms, runtime } from './programs.ts';
import { features, firewall, folders, provenance, registry, rights, searchPath, system } from './system.ts';
import type { ImageCheck, ImageState } from './image-state.ts';

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
