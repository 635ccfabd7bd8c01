import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handlerOf, type Step } from '@fenestra/kernel';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { pathExists } from '@fenestra/platform';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { expect, test } from 'vitest';

async function nodeFolder(...files: readonly string[]): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'clear-')), 'kubeedge');
  await mkdir(join(folder, 'backups'), { recursive: true });
  for (const file of files) await writeFile(join(folder, file), file);
  return folder;
}

function portsOn(folder: string): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { host: linuxHost(), secrets: new Map(), files: posixFileStore(), access: posixAccessControl(), services };
}

async function clear(folder: string, names: readonly string[], removeFolder = true): Promise<readonly string[]> {
  const step: Step = { kind: 'clear-folder', folder, names, removeFolder, pointOfNoReturn: true };
  const said: string[] = [];
  const context = { ports: portsOn(folder), progress: () => {}, say: (text: string) => void said.push(text) };
  await handlerOf(STEP_HANDLERS, step).apply(step, null, context, new AbortController().signal);
  return said;
}

test('clear-folder deletes the given files and then the folder, and does nothing the second time', async () => {
  const folder = await nodeFolder('edgecore.db', 'edgecore.db-wal', 'backups/v1');
  await clear(folder, ['edgecore.db*', 'backups']);
  expect(await pathExists(folder)).toBe(false);
  await clear(folder, ['edgecore.db*', 'backups']);
});

test('clear-folder leaves what others have put there, and the folder with it', async () => {
  const folder = await nodeFolder('edgecore.db', 'mine');
  await clear(folder, ['edgecore.db*', 'backups']);
  expect(await readdir(folder)).toEqual(['mine']);
});

test('clear-folder leaves an empty folder that is not the node’s own', async () => {
  const folder = await nodeFolder('edgecore.db');
  await clear(folder, ['*'], false);
  expect(await readdir(folder)).toEqual([]);
});

test('clear-folder takes a link away and leaves what it leads to', async () => {
  const [folder, elsewhere] = [await nodeFolder(), await nodeFolder('precious')];
  await symlink(elsewhere, join(folder, 'link'));
  await clear(folder, ['link', 'backups']);
  expect(await pathExists(folder)).toBe(false);
  expect(await readdir(elsewhere)).toContain('precious');
});

test('clear-folder of a folder that is a link empties it and leaves the link', async () => {
  const target = await nodeFolder('edgecore.db');
  const link = `${target}-link`;
  await symlink(target, link);
  await clear(link, ['*']);
  expect(await readdir(link)).toEqual([]);
});
