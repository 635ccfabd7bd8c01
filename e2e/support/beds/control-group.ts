import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In which hierarchies a node needs its own group: a node that runs containers manages what they may use, too. */
export type Hierarchies = 'systemd' | 'all';

/**
 * Its own control group in every hierarchy systemd uses, so that the systemd of one node never manages,
 * or ends, the processes of another.
 */
export interface ControlGroup {
  /** The command line, changed so that the program starts in the group. */
  inside(argv: readonly string[]): readonly string[];
  remove(): Promise<void>;
}

// Writing 0 moves the writer itself, whatever its number is in its own namespace.
const JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs"; shift; done; shift; exec "$@"';

const PREFIX = 'fenestra-';

/** Makes the group below the one this process is in, and clears away those of test runs that were killed. */
export async function openControlGroup(name: string, hierarchies: Hierarchies): Promise<ControlGroup> {
  const parents = ownGroups(hierarchies);
  for (const parent of parents) await removeStale(parent);
  const groups = parents.map((parent) => join(parent, `${PREFIX}${name}.${process.pid}`));
  for (const group of groups) await makeGroup(group);
  return {
    inside: (argv) => ['bash', '-c', JOIN, 'join', ...groups, '--', ...argv],
    async remove() {
      for (const group of groups) await removeGroup(group);
    },
  };
}

/** Where this process is in systemd's own hierarchies: the named one of version 1, and version 2's only one; or in all. */
function ownGroups(hierarchies: Hierarchies): readonly string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path = '/'] = line.split(':');
    if (controllers === 'name=systemd') return [join('/sys/fs/cgroup/systemd', path)];
    if (controllers === '') return [join(unifiedHierarchy(), path)];
    return hierarchies === 'all' ? [join('/sys/fs/cgroup', controllers ?? '', path)] : [];
  });
}

function unifiedHierarchy(): string {
  return existsSync('/sys/fs/cgroup/unified') ? '/sys/fs/cgroup/unified' : '/sys/fs/cgroup';
}

/** A group that may use no processors and no memory yet takes no processes: it gets all that its parent has. */
async function makeGroup(group: string): Promise<void> {
  await mkdir(group, { recursive: true });
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    if (existsSync(join(group, file))) await writeFile(join(group, file), await readFile(join(group, '..', file)));
  }
}

async function removeStale(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const owner = entry.startsWith(PREFIX) ? entry.split('.').at(-1) : undefined;
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) await removeGroup(join(parent, entry));
  }
}

/** Removes a group with those below it. Its files are the kernel's and go with the folder; one with processes stays. */
export async function removeGroup(group: string): Promise<void> {
  try {
    const entries = await readdir(group, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await removeGroup(join(group, entry.name));
    await rmdir(group);
  } catch {
    // Another run clears it away at the same time, or its processes are not quite gone: the next run tries again.
  }
}
