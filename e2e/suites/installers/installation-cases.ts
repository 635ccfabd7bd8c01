import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { ERROR_CODES, type ErrorCode } from '@fenestra/kernel';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CommandResult } from '../../support/beds/command.ts';
import { type Cloud, startEmbeddedCloud } from '../../support/cloud/cloud.ts';
import { type EdgeNode, prepareNode } from '../../support/cloud/edge-node.ts';
import { filesWithToken } from '../../support/cloud/files-with-token.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { PATIENCE, unlimited } from '../../support/cloud/patience.ts';
import { leftOf, standingOf } from '../../support/lifecycle/node-state.ts';
import { type MachineChoice, pathOn } from '../../support/machines/keadm-machine.ts';
import { registrationOf } from '../../support/machines/registration.ts';
import type { Installation, InstallationChoice, Properties } from './installation.ts';
import { tracesOn } from './machine-traces.ts';
import { makeTestInstallers, TEST_VERSIONS, type TestInstallers, type TestVersion } from './test-installers.ts';
import { isSignedBy } from './test-signer.ts';

const LABEL = 'example.com/site';

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
    const programVersion = async (): Promise<string> =>
      (await node.machine.node.run(installation.program, ['version'])).stdout;
    const joining = (hub = node.network.cloudPorts.hub): Properties => ({
      CLOUDCORE_IP: '127.0.0.1',
      HUB_PORT: `${hub}`,
      CERT_PORT: `${node.network.cloudPorts.https}`,
      NODE_NAME: node.name,
      LABELS: `${LABEL}=north`,
      SKIP_CHECK: 'container-runtime',
    });
    /** The file with the token is gone as soon as the installer is done. */
    const installJoined = async (properties: Properties, token: string): Promise<CommandResult> => {
      const file = pathOn(node.machine, node.machine.paths.ownFolder, 'token');
      await writeFile(node.machine.node.hostPath(file), token, { mode: 0o600 });
      const result = await installation.install('own', { ...properties, TOKEN_FILE: file });
      await rm(node.machine.node.hostPath(file));
      return result;
    };
    const mustInstall = async (version: TestVersion): Promise<void> =>
      mustSucceed(await installation.install(version, {}));
    const expectFailure = async (result: CommandResult, code: ErrorCode, reason: RegExp): Promise<void> => {
      const said = await installation.saidOf(result);
      expect(said).toMatch(reason);
      if (installation.tellsExitCode) expect(result.exitCode, said).toBe(ERROR_CODES[code]);
      else expect(result.exitCode, said).not.toBe(0);
    };

    test('brings keadm and nothing else', async () => {
      await mustInstall('own');
      expect(await programVersion()).toContain(TEST_VERSIONS.own);
      expect(await leftOf(node)).toEqual([]);
    });

    test('what it brings beside keadm is signed as it is itself', async () => {
      for (const file of installation.signedFiles) {
        expect(await isSignedBy(node.machine.node.hostPath(file), installers.signer), file).toBe(true);
      }
    });

    test('makes keadm known to every shell', async () => {
      const asked = await askShell(node, 'keadm version');
      expect(asked).toContain(TEST_VERSIONS.own);
    });

    test('can be installed again, which changes nothing', async () => {
      const once = await tracesOn(node.machine);
      await mustInstall('own');
      expect(await tracesOn(node.machine)).toEqual(once);
    });

    test('leaves nothing behind', async () => {
      await installation.uninstall('own', {});
      expect(await tracesOn(node.machine)).toEqual(before);
    });

    test('refuses properties that say how to join, but not where, and leaves the machine as it was', async () => {
      const result = await installation.install('own', { NODE_NAME: node.name });
      await expectFailure(result, 'USAGE', /the cloud is missing/);
      await forgetHalfConfigured(node);
      expect(await leftOf(node)).toEqual([]);
      expect(hasProgram()).toBe(false);
    });

    test('refuses a token on its command line, which others can read', async ({ skip }) => {
      skip(choice.title !== 'Windows', 'dpkg takes no properties on its command line');
      const result = await installation.install('own', { ...joining(), TOKEN: 'secret.in.the.open' });
      await expectFailure(result, 'USAGE', /name that with TOKEN_FILE|LaunchConditions\. Return value 0/);
      expect(hasProgram()).toBe(false);
    });

    test('leaves the machine as it was if the cloud is not there', async () => {
      const result = await installJoined(joining(await freePort()), await cloud.token());
      await expectFailure(result, 'HUB_UNREACHABLE', /Cannot reach/);
      expect(await leftOf(node)).toEqual([]);
      await forgetHalfConfigured(node);
      expect(hasProgram()).toBe(false);
    });

    test('leaves the machine as it was if the cloud does not take the token', async () => {
      const wrong = (await cloud.token()).replace(/.{8}$/, 'AAAAAAAA');
      await expectFailure(await installJoined(joining(), wrong), 'AGENT_UNHEALTHY', /Cannot join: the cloud answers/);
      expect(await leftOf(node)).toEqual([]);
      await forgetHalfConfigured(node);
      expect(hasProgram()).toBe(false);
    });

    test('joins the machine to a cloud, silently', async () => {
      mustSucceed(await installJoined(joining(), await cloud.token()));
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.own, connected: true });
      expect(await registrationOf(node.machine, 'edgecore')).toBeDefined();
      await vi.waitFor(async () => {
        const found = await cloud.api.find(KINDS.node, { name: node.name }, unlimited());
        expect(found).toMatchObject({ metadata: { labels: { [LABEL]: 'north' } } });
      }, PATIENCE);
    });

    test('leaves the token nowhere, and in no log', async () => {
      const { ownFolder } = node.machine.paths;
      expect(await filesWithToken(node.machine, await cloud.token(), [ownFolder])).toEqual([]);
    });

    test('leaves a node alone that runs this very version', async () => {
      const [configuration, started] = [await node.readFile(), (await node.status())?.startedAt];
      await mustInstall('own');
      expect(await node.readFile()).toBe(configuration);
      expect((await node.status())?.startedAt).toBe(started);
    });

    test('upgrades in place: the agent is the new one, the configuration as it was', async () => {
      const configuration = await node.readFile();
      await mustInstall('later');
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
      expect(await node.readFile()).toBe(configuration);
      expect(await programVersion()).toContain(TEST_VERSIONS.later);
    });

    test('does not take a newer version away for an older one, the agent in no case', async () => {
      const older = await installation.install('own', {});
      if (installation.refusesOlder)
        await expectFailure(older, 'DOWNGRADE_REFUSED', /is older than|LaunchConditions\. Return value 0/);
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
      expect(await programVersion()).toContain(TEST_VERSIONS[installation.refusesOlder ? 'later' : 'own']);
      await mustInstall('later');
    });

    test('a version that does not prove itself is not installed: the node runs the earlier one, as it was', async () => {
      const configuration = await node.readFile();
      const result = await installation.install('broken', {});
      await expectFailure(result, 'SERVICE_FAILED', /The node runs v[0-9.]+ again and works/);
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
      expect(await node.readFile()).toBe(configuration);
      if (installation.bringsBackEarlier) expect(await programVersion()).toContain(TEST_VERSIONS.later);
      else await mustInstall('later');
    });

    test('removes keadm and leaves a node alone that no one asked to reset', async () => {
      await installation.uninstall('later', {});
      expect(hasProgram()).toBe(false);
      expect(await standingOf(node)).toEqual({ version: TEST_VERSIONS.later, connected: true });
    });

    test('comes back beside a node that runs, and changes nothing about it', async () => {
      const started = (await node.status())?.startedAt;
      await mustInstall('later');
      expect((await node.status())?.startedAt).toBe(started);
    });

    test('takes the node off when asked, and leaves nothing at all', async () => {
      await installation.uninstall('later', { RESET_NODE: 'yes' });
      expect(await leftOf(node)).toEqual([]);
      expect(await tracesOn(node.machine)).toEqual(before);
    });
  });
}

function mustSucceed({ exitCode, stdout, stderr }: CommandResult): void {
  expect({ exitCode, said: exitCode === 0 ? '' : stdout + stderr }).toEqual({ exitCode: 0, said: '' });
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
