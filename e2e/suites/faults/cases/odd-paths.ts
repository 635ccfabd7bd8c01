import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { expect, test } from 'vitest';
import { signatureOf } from '../../../support/cloud/files-with-token.ts';
import { untilConnected } from '../../../support/cloud/patience.ts';
import { ask, AT_ONCE } from '../../../support/lifecycle/answer.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';
import { pathOn } from '../../../support/machines/keadm-machine.ts';
import { releaseFlags, versionOf } from '../../../support/releases/test-releases.ts';
import { OWN_VERSION } from '../../../support/releases/versions.ts';
import type { FaultParts } from '../fault-parts.ts';
import { oddPath } from '../own-files.ts';

/** Blanks and letters beyond ASCII in every path an administrator can give to a node that is there. */
export function oddPaths(parts: FaultParts): void {
  const backups = (): string => {
    const { machine } = parts().node;
    return pathOn(machine, machine.paths.ownFolder, 'Sicherung für Müller');
  };

  test('a backup goes to a folder with blanks and umlauts, and the token is nowhere in it', async () => {
    const { cloud, node } = parts();
    expect(await ask(node.machine, ['backup', '--dir', backups()])).toMatchObject({ exitCode: 0 });
    const folder = node.machine.node.hostPath(backups());
    const [name = ''] = await readdir(folder);
    const content = await promisify(gunzip)(await readFile(join(folder, name)));
    const token = await cloud.token();
    expect({ hasManifest: content.includes('"version"'), hasToken: content.includes(signatureOf(token)) }).toEqual({
      hasManifest: true,
      hasToken: false,
    });
  });

  test('an upgrade comes from a folder with blanks and umlauts', async () => {
    const { node } = parts();
    const { machine } = node;
    const [, version = '', , from = '', , key = ''] = await releaseFlags(machine, 'good');
    const [release, trustKey] = [oddPath(machine, 'keadm neu'), oddPath(machine, 'schlüssel öffentlich.pem')];
    await mkdir(machine.node.hostPath(oddPath(machine)), { recursive: true });
    await cp(hostFile(from), machine.node.hostPath(release), { recursive: true });
    await cp(hostFile(key), machine.node.hostPath(trustKey));
    const flags = ['--version', version, '--from', release, '--trust-key', trustKey, ...AT_ONCE];
    expect(await ask(machine, ['upgrade', ...flags])).toMatchObject({ exitCode: 0, outcome: 'applied' });
    expect(await standingOf(node)).toEqual({ version: versionOf('good'), connected: true });
  });

  test('a restore comes from a folder with blanks and umlauts', async () => {
    const { node } = parts();
    const answer = await ask(node.machine, ['restore', '--dir', backups(), ...AT_ONCE]);
    expect(answer).toMatchObject({ exitCode: 0, outcome: 'applied' });
    await untilConnected(node);
    expect(await standingOf(node)).toEqual({ version: OWN_VERSION, connected: true });
  });
}

/** A file of this checkout by the name it has here, whatever the machine calls it. */
function hostFile(name: string): string {
  return name.replace(/^Z:/, '').replaceAll('\\', '/');
}
