import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PodHost } from '../pod-host.ts';
import { type ContractCase, contractCase, scratchFolder, soon } from './case.ts';
import { linkFolderCases } from './pods/link-folder-cases.ts';
import { volumePartCases } from './pods/volume-part-cases.ts';

/** What a bed may have to say it cannot show. */
export type PodHostTopic = 'cgroups' | 'folders' | 'holding' | 'links' | 'memory' | 'owners';

/** A real machine that runs pods. */
export interface PodHostBed {
  readonly host: PodHost;
  /** A scratch folder. */
  readonly folder: string;
  readonly cannotShow: Readonly<Partial<Record<PodHostTopic, string>>>;
}

/** What every `PodHost` must do. */
export function podHostContract(bed: PodHostBed): readonly ContractCase[] {
  return [
    ...machineCases(bed),
    ...memoryCases(bed),
    ...ownerCases(bed),
    ...cgroupCases(bed),
    ...linkFolderCases(bed),
    ...volumePartCases(bed),
  ];
}

const USER = 1234;
const GROUP = 4321;
const MODE = 0o750;
const SIZE = 1024 * 1024;

function machineCases({ host, folder }: PodHostBed): readonly ContractCase[] {
  return [
    contractCase('two readings of what limits depend on agree', async () => {
      assert.deepEqual(await host.machine(), await host.machine());
    }),
    contractCase('what the memory offers is a part of it', async () => {
      const { totalBytes, availableBytes } = await host.memory();
      assert.ok(availableBytes > 0 && availableBytes <= totalBytes, `${availableBytes} of ${totalBytes}`);
    }),
    contractCase('where processes are limited, this one is among those that run', async () => {
      const { limit, running } = (await host.processes()) ?? { limit: 2, running: 1 };
      assert.ok(running > 0 && running < limit, `${running} of ${limit}`);
    }),
    contractCase('a folder that is protected, also twice, can be used by the agent', async () => {
      const path = join(await scratchFolder(folder), 'protected');
      await mkdir(path);
      await host.protectFolder(path);
      await host.protectFolder(path);
      await writeFile(join(path, 'file'), 'written');
      assert.equal(await readFile(join(path, 'file'), 'utf8'), 'written');
    }),
  ];
}

function memoryCases({ host, folder, cannotShow }: PodHostBed): readonly ContractCase[] {
  return [
    contractCase(
      'a memory folder that is made again keeps its content, and is removed with the folder it is in',
      async () => {
        const parent = await scratchFolder(folder);
        const path = join(parent, 'in', 'memory');
        await host.createMemoryFolder({ path, mode: MODE }, soon());
        await writeFile(join(path, 'file'), 'kept');
        await host.createMemoryFolder({ path, mode: MODE }, soon());
        assert.equal(await readFile(join(path, 'file'), 'utf8'), 'kept');
        await host.removeFolder(parent, soon());
        assert.deepEqual(
          (await readdir(folder)).filter((name) => parent.endsWith(name)),
          [],
        );
        await host.removeFolder(parent, soon());
      },
      cannotShow.folders,
    ),
    contractCase(
      'a memory folder is not on the disk, and begins with its mode, group and size',
      async () => {
        const parent = await scratchFolder(folder);
        const path = join(parent, 'memory');
        try {
          await host.createMemoryFolder({ path, mode: 0o2770, gid: GROUP, sizeBytes: SIZE }, soon());
          const found = await stat(path);
          assert.notEqual(found.dev, (await stat(parent)).dev);
          assert.equal(found.mode & 0o7777, 0o2770);
          assert.equal(found.gid, GROUP);
          await assert.rejects(writeFile(join(path, 'file'), Buffer.alloc(2 * SIZE)), { code: 'ENOSPC' });
        } finally {
          await host.removeFolder(parent, soon());
        }
      },
      cannotShow.memory,
    ),
  ];
}

function ownerCases({ host, folder, cannotShow }: PodHostBed): readonly ContractCase[] {
  return [
    contractCase(
      'a file is given to a user, or to a group, and the other stays',
      async () => {
        const file = join(await scratchFolder(folder), 'file');
        await writeFile(file, '');
        await host.setOwner(file, { uid: USER });
        await host.setOwner(file, { gid: GROUP });
        const { uid, gid } = await stat(file);
        assert.deepEqual({ uid, gid }, { uid: USER, gid: GROUP });
      },
      cannotShow.owners,
    ),
    contractCase(
      'a folder can be given away twice',
      async () => {
        const path = join(await scratchFolder(folder), 'folder');
        await mkdir(path);
        await host.setOwner(path, { gid: 0 });
        await host.setOwner(path, { gid: 0 });
      },
      cannotShow.owners,
    ),
  ];
}

function cgroupCases({ host, cannotShow }: PodHostBed): readonly ContractCase[] {
  const limits = { path: '/fenestra-contract/pod', cpuShares: 512, cpuPeriod: 100_000, memoryLimitBytes: 64 * SIZE };
  return [
    contractCase(
      'a control group is made twice, with other limits too, and removed twice',
      async () => {
        try {
          await host.createPodCgroup(limits);
          await host.createPodCgroup({ ...limits, cpuQuota: 50_000 });
        } finally {
          await host.removePodCgroup(limits.path);
          await host.removePodCgroup('/fenestra-contract');
        }
        await host.removePodCgroup(limits.path);
      },
      cannotShow.cgroups,
    ),
  ];
}
