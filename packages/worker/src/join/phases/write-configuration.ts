import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import type { KubeJoinFacts } from '../join-facts.ts';

/** The cluster's CA, the kubelet's configuration and its flags, written together: the service heeds them all at its start. */
export const writeConfiguration: Phase<KubeJoinFacts> = {
  id: 'write-configuration',
  title: "Write the kubelet's configuration",
  plan: ({ joining }) =>
    (joining?.files ?? []).map(({ path, content }): WriteFile => ({ kind: 'write-file', path, content })),
};
