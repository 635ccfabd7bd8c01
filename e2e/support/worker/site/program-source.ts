import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Folders with programs as Kubernetes publishes them: each with its checksum beside it, a folder for each release. */
export interface ProgramSource {
  /** All of it is below this folder. */
  readonly folder: string;
  /** The folder of a release. */
  of(release: string): string;
  /** Puts a program, a file or what is in it, into a release. */
  add(release: string, name: string, program: { readonly file: string } | { readonly content: Buffer }): Promise<void>;
  /** Makes the checksum of a program a wrong one. */
  spoilChecksum(release: string, name: string): Promise<void>;
  remove(): Promise<void>;
}

/** Makes an empty source of programs in its own folder. */
export async function makeProgramSource(): Promise<ProgramSource> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-programs-'));
  const of = (release: string): string => join(folder, release);
  return {
    folder,
    of,
    async add(release, name, program) {
      const path = join(of(release), name);
      await mkdir(of(release), { recursive: true });
      if ('file' in program) await copyFile(program.file, path);
      else await writeFile(path, program.content);
      await chmod(path, 0o755);
      await writeFile(`${path}.sha256`, `${await sha256Of(path)}\n`);
    },
    spoilChecksum: async (release, name) => writeFile(join(of(release), `${name}.sha256`), `${'0'.repeat(64)}\n`),
    remove: async () => rm(folder, { recursive: true, force: true }),
  };
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
