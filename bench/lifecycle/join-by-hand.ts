import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ourExecutable } from '../executables.ts';
import type { Site } from './site.ts';
import { seen } from './watch-agent.ts';

const CONFIG = 'etc/kubeedge/config/edgecore.yaml';
const TOKEN = 'etc/kubeedge/bootstrap-edgecore.conf';
const PROGRAM = 'usr/local/bin/edgecore';
const SERVICE = 'var/lib/fenestra/supervisor/services/edgecore';
const SPEC = join(SERVICE, 'spec.json');

/**
 * Does manually what no join can do without: the program's copy on the disk, then its service until the agent has its
 * certificate and the cloud its node. Whatever else a node like `like` needs is there before the clock starts.
 */
export async function joinByHand(site: Site, like: string, node: string): Promise<number> {
  const root = site.root(node);
  for (const path of [CONFIG, SPEC])
    write(root, path, readFileSync(join(site.root(like), path), 'utf8').replaceAll(like, node));
  write(root, TOKEN, site.token(node));
  mkdirSync(dirname(join(root, PROGRAM)), { recursive: true });
  const started = performance.now();
  copyDurably(ourExecutable(), join(root, PROGRAM));
  // The service manager of a node below a folder: one process for each service.
  const manager = spawn(ourExecutable(), ['supervise', join(root, SERVICE)], { stdio: 'ignore' });
  const joined = await seen(root, (agent) => agent?.connected === true && agent.node?.registered === true);
  manager.kill('SIGTERM');
  await once(manager, 'exit');
  return joined - started;
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const copy = openSync(to, 'r+');
  fsyncSync(copy);
  closeSync(copy);
}
