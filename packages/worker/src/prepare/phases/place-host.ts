import type { Phase } from '@fenestra/kernel';
import type { PlaceExecutable } from '@fenestra/steps';
import type { PrepareFacts } from '../prepare-facts.ts';

/** The kubelet's service starts our own program, which reads the kubelet's arguments anew each time. */
export const placeHost: Phase<PrepareFacts> = {
  id: 'place-host',
  title: "Put the service's program in place",
  plan({ host: { path: from, sha256, installedSha256 }, layout }) {
    if (installedSha256 === sha256) return [];
    const step: PlaceExecutable = { kind: 'place-executable', from, to: layout.hostExecutable, sha256 };
    return [step];
  },
};
