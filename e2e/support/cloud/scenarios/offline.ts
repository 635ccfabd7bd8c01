import { setTimeout as sleep } from 'node:timers/promises';
import { KINDS, listAt, stringAt, type JsonObject } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { configMap, podOn, type Manifest } from '../manifests.ts';
import { PATIENCE, unlimited, untilConnected } from '../patience.ts';
import type { Parts } from './parts.ts';

const OBJECTS = 30;
const PATIENT = { timeout: 120_000, interval: 250 };

/** The node is cut off for a while, both sides change in the meantime, and afterwards both say the same. */
export function offlineCases(parts: Parts, awaySeconds: number): void {
  test(`cut off for ${awaySeconds} s with changes on both sides and a restart, cloud and node converge`, async () => {
    const { cloud, node } = parts();
    const plan = changesFor(node.name);
    await cloud.apply(plan.before);
    await untilNodeHas(parts, plan.textsBefore);

    const cutAt = performance.now();
    await node.network.cut();
    await untilConnected(node, false);
    await cloud.apply(plan.applied);
    await cloud.remove(plan.removed);
    await node.configure({ 'modules.edged.nodeLabels': { site: 'island' } });
    await node.keadm('service', 'restart');
    await untilNodeHas(parts, plan.textsBefore);
    await sleep(Math.max(0, awaySeconds * 1_000 - (performance.now() - cutAt)));
    expect(await textsAtNode(parts)).toEqual(plan.textsBefore);
    expect((await node.status())?.connected).toBe(false);

    const mendedAt = performance.now();
    await node.network.restore();
    await untilNodeHas(parts, plan.textsAfter);
    await vi.waitFor(
      async () => expect(await viewInCloud(parts)).toEqual({ site: 'island', ready: 'KubeletNotReady' }),
      PATIENCE,
    );
    const figures = {
      objects: Object.keys(plan.textsBefore).length,
      changedWhileAway: plan.applied.length + plan.removed.length + 1,
      awaySeconds: seconds(mendedAt - cutAt),
      convergedInSeconds: seconds(performance.now() - mendedAt),
    };
    process.stdout.write(`offline, ${node.machine.title}: ${JSON.stringify(figures)}\n`);
    await cloud.remove(plan.rest);
  });
}

interface Changes {
  readonly before: readonly Manifest[];
  readonly applied: readonly Manifest[];
  readonly removed: readonly Manifest[];
  /** What is left in the end. */
  readonly rest: readonly Manifest[];
  readonly textsBefore: Readonly<Record<string, string>>;
  readonly textsAfter: Readonly<Record<string, string>>;
}

/** A third of the objects changes, a third goes, a third stays, and as many as a third are new. */
function changesFor(node: string): Changes {
  const names = Array.from({ length: OBJECTS }, (_, index) => `${node}-away-${index}`);
  const third = OBJECTS / 3;
  const [changed, gone, same] = [names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)];
  const added = Array.from({ length: third }, (_, index) => `${node}-away-new-${index}`);
  const [pod, newPod] = [`${node}-away-pod`, `${node}-away-new-pod`];
  const applied = [...changed, ...added].map(saying('after'));
  const after = Object.fromEntries([
    ...same.map((name) => [name, 'before']),
    ...applied.map(({ metadata }) => [metadata.name, 'after']),
  ]);
  return {
    before: [...names.map(saying('before')), podOn(node, pod, { configMaps: names })],
    applied: [...applied, podOn(node, newPod, { configMaps: added })],
    removed: gone.map(saying('')),
    rest: [podOn(node, pod, {}), podOn(node, newPod, {}), ...[...changed, ...same, ...added].map(saying(''))],
    textsBefore: Object.fromEntries(names.map((name) => [name, 'before'])),
    textsAfter: after,
  };
}

function saying(text: string): (name: string) => Manifest {
  return (name) => configMap(name, text);
}

async function untilNodeHas(parts: Parts, texts: Readonly<Record<string, string>>): Promise<void> {
  await vi.waitFor(async () => expect(await textsAtNode(parts)).toEqual(texts), PATIENT);
}

async function textsAtNode(parts: Parts): Promise<Readonly<Record<string, string>>> {
  const { node } = parts();
  const own = (await node.objects(KINDS.configMap)).filter((each) => nameOf(each).startsWith(`${node.name}-away-`));
  return Object.fromEntries(own.map((each) => [nameOf(each), stringAt(each, 'data', 'text')]));
}

function nameOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'name');
}

/** A cluster that has not heard from a node says so in its conditions, until the node speaks for itself again. */
async function viewInCloud(parts: Parts): Promise<{ site: string; ready: string }> {
  const { cloud, node } = parts();
  const registered = await cloud.api.get(KINDS.node, { name: node.name }, unlimited());
  const ready = listAt(registered, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
  return { site: registered.metadata.labels?.['site'] ?? '', ready: stringAt(ready, 'reason') };
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
