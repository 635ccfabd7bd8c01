import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cloud, startEmbeddedCloud } from '../cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../cloud/edge-node.ts';
import { filesWithToken } from '../cloud/files-with-token.ts';
import { freePort } from '../cloud/free-port.ts';
import { PATIENCE, unlimited } from '../cloud/patience.ts';
import { leftOf, standingOf } from '../lifecycle/node-state.ts';
import { type MachineChoice, pathOn } from '../machines/keadm-machine.ts';
import { registrationOf } from '../machines/registration.ts';
import type { Installation, InstallationChoice, Properties } from './installation.ts';
import { tracesOn } from './machine-traces.ts';
import { makeTestInstallers, TEST_VERSIONS, type TestInstallers } from './test-installers.ts';

/** A node's life by an installer alone, from a bare machine to a bare machine. */
export function installationCases(title: string, choice: MachineChoice, choose: InstallationChoice): void {
  describe(`${title} on ${choice.title}`, () => {
    let cloud: Cloud;
    let node: EdgeNode;
    let installers: TestInstallers;
    let installation: Installation;
    let before: readonly string[];

    beforeAll(async () => {
      const machine = await choice.start(unlimited());
      installers = await makeTestInstallers(machine.target);
      cloud = await startEmbeddedCloud();
      node = await prepareNode(machine.node.name, machine, cloud);
      installation = choose(machine, installers);
      before = await tracesOn(machine);
    });
    afterAll(async () => {
      await node.stop();
      await cloud.stop();
      await installers.remove();
    });

    const hasProgram = (): boolean => existsSync(node.machine.node.hostPath(installation.program));
    const joining = (hub = node.network.cloudPorts.hub): Properties => ({
      CLOUDCORE_IP: '127.0.0.1',
      HUB_PORT: `${hub}`,
      CERT_PORT: `${node.network.cloudPorts.https}`,
      NODE_NAME: node.name,
    });
    /** The token in the way that suits the installer; a file is gone as soon as the installer is done. */
    const installJoined = async (properties: Properties): Promise<number> => {
      const token = await cloud.token();
      if (installation.tokenBy === 'property') {
        return (await installation.install('own', { ...properties, TOKEN: token })).exitCode;
      }
      const file = pathOn(node.machine, node.machine.paths.ownFolder, 'token');
      await writeFile(node.machine.node.hostPath(file), token, { mode: 0o600 });
      const { exitCode } = await installation.install('own', { ...properties, TOKEN_FILE: file });
      await rm(node.machine.node.hostPath(file));
      return exitCode;
    };

    test('brings keadm and nothing else', async () => {
      const { exitCode, stdout, stderr } = await installation.install('own', {});
      expect({ exitCode, said: exitCode === 0 ? '' : stdout + stderr }).toEqual({ exitCode: 0, said: '' });
      const version = await node.machine.node.run(installation.program, ['version']);
      expect(version.stdout).toContain(TEST_VERSIONS.own);
      expect(await leftOf(node)).toEqual([]);
    });

    test('makes keadm known to every shell', async () => {
      const asked = await askShell(node, 'keadm version');
      expect(asked).toContain(TEST_VERSIONS.own);
    });

    test('leaves nothing behind', async () => {
      await installation.uninstall('own', {});
      expect(await tracesOn(node.machine)).toEqual(before);
    });

    test('leaves the machine as it was if the join fails, and says so by its exit code', async () => {
      expect(await installJoined(joining(await freePort()))).not.toBe(0);
      expect(await leftOf(node)).toEqual([]);
      await forgetHalfConfigured(node);
    });

    test('joins the machine to a cloud, silently', async () => {
      expect(await installJoined(joining())).toBe(0);
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.own, connected: true });
      expect(await registrationOf(node.machine, 'edgecore')).toBeDefined();
      await vi.waitFor(
        async () => expect(await cloud.api.find(KINDS.node, { name: node.name }, unlimited())).toBeDefined(),
        PATIENCE,
      );
    });

    test('leaves the token nowhere', async () => {
      const { ownFolder } = node.machine.paths;
      expect(await filesWithToken(node.machine, await cloud.token(), [ownFolder])).toEqual([]);
    });

    test('upgrades in place: the agent is the new one, the configuration as it was', async () => {
      const configuration = await node.readFile();
      const { exitCode, stdout, stderr } = await installation.install('later', {});
      expect({ exitCode, said: exitCode === 0 ? '' : stdout + stderr }).toEqual({ exitCode: 0, said: '' });
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
      expect(await node.readFile()).toBe(configuration);
      const version = await node.machine.node.run(installation.program, ['version']);
      expect(version.stdout).toContain(TEST_VERSIONS.later);
    });

    test('takes keadm away and leaves a node alone that nobody asked to reset', async () => {
      await installation.uninstall('later', {});
      expect(hasProgram()).toBe(false);
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
    });

    test('comes back beside a node that runs, and changes nothing about it', async () => {
      const started = (await node.status())?.startedAt;
      expect((await installation.install('later', {})).exitCode).toBe(0);
      expect((await node.status())?.startedAt).toBe(started);
    });

    test('takes the node off when asked, and leaves nothing at all', async () => {
      await installation.uninstall('later', { RESET_NODE: 'yes' });
      expect(await leftOf(node)).toEqual([]);
      expect(await tracesOn(node.machine)).toEqual(before);
    });
  });
}

/** What a new shell of the machine answers. */
async function askShell({ machine }: EdgeNode, command: string): Promise<string> {
  const shell = machine.target === 'windows-x64' ? ['cmd', '/c', command] : ['sh', '-c', command];
  const [program = '', ...args] = shell;
  return (await machine.node.run(program, args)).stdout;
}

/** dpkg keeps a package whose script has failed, to be configured again; here it is to be gone. */
async function forgetHalfConfigured({ machine }: EdgeNode): Promise<void> {
  if (machine.target === 'linux-x64') await machine.node.run('dpkg', ['--purge', 'fenestra']);
}
