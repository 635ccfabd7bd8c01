import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type CachedFolder, cached } from '../cache.ts';
import type { Cage } from '../cage.ts';
import { buildDebianBase, type DebianBase } from '../debian-base.ts';
import { requirePackages } from '../debian-packages.ts';
import { timed } from '../progress.ts';

/** Programs of Kubernetes to build from Debian's source package, in a Debian of its own. */
export interface SourceBuild {
  /** The cached folder's name. */
  readonly name: string;
  /** The script beside this file that builds them once the source is unpacked. */
  readonly script: string;
  /** Packages to install beside the compiler. */
  readonly install: readonly string[];
  /** What those packages bring, ready to run: its name in the result, and its path in that Debian. */
  readonly fromDebian: Readonly<Record<string, string>>;
}

const COMPILER = ['golang-1.19-go', 'dpkg-dev'];
const UNPACK = 'unpack-source.sh';
const BUILD_MS = 60 * 60_000;

/** The folder with what the build makes; built once per machine, and kept. */
export async function buildFromSource(build: SourceBuild, signal: AbortSignal): Promise<string> {
  await requirePackages(['debootstrap', 'util-linux', 'hostname'], signal);
  const debian = { release: 'bookworm', include: [], install: [...COMPILER, ...build.install] };
  const script = (await textOf(UNPACK)) + (await textOf(build.script));
  const folder: CachedFolder = {
    name: build.name,
    recipe: [JSON.stringify(debian), script],
    build: async (target, stop) => buildInside(target, { debian, script, fromDebian: build.fromDebian }, stop),
  };
  return cached(folder, signal);
}

async function textOf(script: string): Promise<string> {
  return readFile(join(import.meta.dirname, script), 'utf8');
}

interface Ingredients {
  readonly debian: DebianBase;
  readonly script: string;
  readonly fromDebian: SourceBuild['fromDebian'];
}

async function buildInside(
  target: string,
  { debian, script, fromDebian }: Ingredients,
  signal: AbortSignal,
): Promise<void> {
  const root = join(target, 'build');
  await mkdir(root);
  const build = async (cage: Cage): Promise<void> => {
    await writeFile(join(root, 'build.sh'), script);
    await timed('compiling Kubernetes, which takes a while', async () => compile(cage, root, signal));
    await cp(join(root, 'out'), target, { recursive: true });
    for (const [name, path] of Object.entries(fromDebian)) {
      await cp(join(root, path), join(target, name), { dereference: true });
      await chmod(join(target, name), 0o755);
    }
  };
  await buildDebianBase(debian, root, build, signal);
  await rm(root, { recursive: true, force: true });
}

async function compile(cage: Cage, root: string, signal: AbortSignal): Promise<void> {
  const { exitCode, stderr } = await cage.run(
    ['nice', 'chroot', root, 'bash', '/build.sh'],
    { timeoutMs: BUILD_MS },
    signal,
  );
  if (exitCode === 0) return;
  throw new OperatorError('COMMAND_FAILED', "Cannot build Kubernetes from Debian's source package", {
    hint: `Read what it said: ${stderr.slice(-2000)}`,
  });
}
