import { win32 } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import type { CreateFolder, PlaceExecutable } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';

/** The agent of an edge node, in its place, so that a join has nothing to fetch. */
export const placeAgent: Phase<ProvisionFacts> = {
  id: 'place-agent',
  title: 'Place the agent',
  plan({ agent }) {
    if (agent === undefined || agent.sha256 === agent.installedSha256) return [];
    const { from, to, sha256 } = agent;
    const folder: CreateFolder = { kind: 'create-folder', path: win32.dirname(to) };
    const placed: PlaceExecutable = { kind: 'place-executable', from, to, sha256 };
    return [folder, placed];
  },
};
