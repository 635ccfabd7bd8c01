import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toWindowsPath } from '../../support/beds/windows-path.ts';
import { CONTAINERD_VERSION, KUBERNETES_VERSION, type Download, type Downloads } from './stand-in/downloads.ts';

/** What a case has otherwise than the others. */
export interface ImageWishes {
  readonly role: 'worker' | 'edge';
  /** Whose digest is a wrong one. */
  readonly wrong?: 'containerd' | 'kubelet' | 'cloudbaseInit';
  /** Whether containerd is said to be of a version that it is not. */
  readonly otherVersion?: true;
  /** Whether the package is not cloudbase-init's. */
  readonly otherPackage?: true;
}

/** Writes the file that describes an image made of the stand-ins, and returns its name on the machine. */
export async function writeImageFile(downloads: Downloads, wishes: ImageWishes): Promise<string> {
  const file = join(downloads.folder, `${Object.values(wishes).join('-')}.yaml`);
  const part = (name: 'containerd' | 'kubelet' | 'cloudbaseInit', indent: string): string =>
    downloadText(
      downloads[name === 'cloudbaseInit' && wishes.otherPackage ? 'otherPackage' : name],
      wishes.wrong === name,
      indent,
    );
  const kubernetes = `kubernetes:\n  version: ${KUBERNETES_VERSION}\n  kubelet:\n${part('kubelet', '    ')}`;
  await writeFile(
    file,
    `apiVersion: fenestra.dev/v1
kind: ImageConfig
system: 2022
platform: qemu
role: ${wishes.role}
containerd:
  version: ${wishes.otherVersion ? '2.1.5' : CONTAINERD_VERSION}
${part('containerd', '  ')}${wishes.role === 'worker' ? kubernetes : ''}cloudbaseInit:
  version: 1.1.6
${part('cloudbaseInit', '  ')}`,
  );
  return toWindowsPath(file);
}

function downloadText({ file, sha256 }: Download, isWrong: boolean, indent: string): string {
  const digest = isWrong ? '0'.repeat(64) : sha256;
  return `${indent}url: ${toWindowsPath(file)}\n${indent}sha256: '${digest}'\n`;
}
