import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { KINDS } from '@fenestra/kube-api';
import { expect, test, vi } from 'vitest';
import { filesWithToken } from '../../cloud/files-with-token.ts';
import { PATIENCE, unlimited } from '../../cloud/patience.ts';
import { ask, succeeded } from '../../lifecycle/answer.ts';
import { pathOn } from '../../machines/keadm-machine.ts';
import { join, joinArgs, joinWith, reset, upgrade } from '../administrator.ts';
import {
  clientCertificate,
  KUBELET_SERVICE,
  kubeletProcess,
  lastReady,
  leftOfWorker,
  nodeObject,
  pictureOfWorker,
  standingOf,
} from '../machine-state.ts';
import type { WorkerSite } from '../site/worker-site.ts';

/** The site a case is about; a function because it exists only once the tests run. */
export type SiteParts = () => WorkerSite;

const SECRET_MODE = 0o600;
/** A number that no cluster comes up with by itself. */
const MAX_PODS = 73;
const NETWORK_FILES = '/etc/cni/net.d';

/** A worker's life: nothing, a join, another, an upgrade, one that fails, the end. `whileReady` is reported it in between. */
export function workerLife(parts: SiteParts, whileReady: () => void): void {
  let before: Awaited<ReturnType<typeof pictureOfWorker>>;

  test('a dry run of a join shows the plan and changes nothing', async () => {
    before = await pictureOfWorker(parts());
    const { exitCode, said } = await join(parts(), '--dry-run');
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining('"dryRun": true') });
    expect(await pictureOfWorker(parts())).toEqual(before);
  });

  test('a join without a network plugin makes a worker that says what it waits for', async () => {
    const token = await parts().cluster.makeToken();
    const answer = await joinWith(parts(), token, '--patches', await patchFolder(parts()));
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(answer.said).toMatch(/network/i);
    expect(await standingOf(parts())).toEqual({ ready: 'False', version: parts().releases.first });
    const { machine, paths } = parts();
    await rm(machine.node.hostPath(pathOn(machine, machine.paths.ownFolder, 'patches')), { recursive: true });
    expect(await filesWithToken(machine, token, [paths.configFolder, paths.kubeletFolder])).toEqual([]);
  });

  test('what is secret is for the system alone, and nothing of the bootstrap is left', async () => {
    const { machine, paths } = parts();
    const files = [paths.kubeconfig, await clientCertificate(parts())];
    for (const file of files) expect((await stat(machine.node.hostPath(file))).mode & 0o777).toBe(SECRET_MODE);
    expect(existsSync(machine.node.hostPath(paths.bootstrapKubeconfig))).toBe(false);
  });

  test('with a network plugin it becomes ready', async () => {
    await parts().setNetwork(true);
    await vi.waitFor(async () => expect((await standingOf(parts()))?.ready).toBe('True'), PATIENCE);
  });

  whileReady();

  test('a second join changes nothing and says so, with a token or without', async () => {
    const [picture, process] = [await pictureOfWorker(parts()), await kubeletProcess(parts())];
    const answer = await join(parts());
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    const untold = await ask(parts().machine, joinArgs(parts()));
    expect(untold, untold.said).toMatchObject({ exitCode: 0, outcome: 'unchanged' });
    expect(await kubeletProcess(parts())).toBe(process);
    expect(await pictureOfWorker(parts())).toEqual(picture);
  });

  test('an upgrade brings the next version, and the node is as ready as before', async () => {
    const { releases } = parts();
    const answer = await upgrade(parts(), releases.next);
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(parts())).toEqual({ ready: 'True', version: releases.next });
    expect((await nodeObject(parts()))?.['spec']).not.toHaveProperty('unschedulable', true);
  });

  test('the patches that it joined with outlive the upgrade, and the folder they came from', async () => {
    const { machine, paths } = parts();
    expect(await readFile(machine.node.hostPath(paths.kubeletConfig), 'utf8')).toContain(`maxPods: ${MAX_PODS}`);
  });

  test('an upgrade to a kubelet that does not run is rolled back by itself', async () => {
    const { releases } = parts();
    succeeded(await upgrade(parts(), releases.first));
    const answer = await upgrade(parts(), releases.broken, '--wait', '30s');
    expect(answer.exitCode, answer.said).not.toBe(0);
    expect(answer.outcome, answer.said).toBe('reverted');
    await vi.waitFor(
      async () => expect(await standingOf(parts())).toEqual({ ready: 'True', version: releases.first }),
      PATIENCE,
    );
    expect((await nodeObject(parts()))?.['spec']).not.toHaveProperty('unschedulable', true);
  });

  test('a worker that the machine boots with is ready again', async () => {
    await parts().machine.node.reboot();
    const booted = Date.now();
    await vi.waitFor(async () => expect(await lastReady(parts())).toBeGreaterThan(booted), PATIENCE);
  });

  test('a kubelet that ends in good order although no one has stopped its service is back by itself', async () => {
    const ended = await kubeletProcess(parts());
    await parts().machine.node.run('systemctl', ['kill', '--signal=TERM', '--kill-who=main', KUBELET_SERVICE]);
    await vi.waitFor(async () => expect([0, ended]).not.toContain(await kubeletProcess(parts())), PATIENCE);
  });

  test('a reset leaves the machine as it was found, and no trace in the cluster', async () => {
    const { cluster, machine } = parts();
    const answer = await reset(parts());
    expect(answer, answer.said).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await leftOfWorker(parts())).toEqual([]);
    // No one can determine whether the cluster's plugin has put it there, or someone else.
    expect(answer.said).toContain(NETWORK_FILES);
    expect(await readdir(machine.node.hostPath(NETWORK_FILES))).not.toEqual([]);
    await parts().setNetwork(false);
    expect(await pictureOfWorker(parts())).toEqual(before);
    expect(await nodeObject(parts())).toBeUndefined();
    const pods = await cluster.api.list(
      KINDS.pod,
      { fieldSelector: `spec.nodeName=${machine.node.name}` },
      unlimited(),
    );
    expect(pods).toEqual([]);
  });

  test('a second reset has nothing to do', async () => {
    succeeded(await reset(parts()));
    expect(await leftOfWorker(parts())).toEqual([]);
  });
}

/** A folder with one patch, which is there for one join and no longer. */
async function patchFolder({ machine }: WorkerSite): Promise<string> {
  const folder = pathOn(machine, machine.paths.ownFolder, 'patches');
  await mkdir(machine.node.hostPath(folder), { recursive: true });
  const file = pathOn(machine, folder, 'kubeletconfiguration+merge.json');
  await writeFile(machine.node.hostPath(file), JSON.stringify({ maxPods: MAX_PODS }));
  return folder;
}
