import type { ProgramSource } from '../batch.ts';
import { ARCHES, type BatchFile } from '../file/schema.ts';
import type { Findings } from './findings.ts';
import type { PathResolver } from './paths.ts';

/** What is needed to read the part of a file about the executables. */
export interface ProgramReading {
  readonly findings: Findings;
  readonly paths: PathResolver;
  /** A folder of this machine that has to be there, by the field that names it. */
  readonly needsFolder: (path: string, field: string) => void;
}

/** Where the executables come from: unpacked ones before packed ones before a download before this one itself. */
export function programSource({ keadm = {} }: BatchFile, reading: ProgramReading): ProgramSource {
  const { download, keadmVersion = '', archGroup = [] } = keadm;
  const [binaries, archives, url] = [given(keadm.keadmBinDir), given(keadm.offlinePackageDir), given(download?.url)];
  const arches = archGroup.length === 0 ? ARCHES : [...new Set(archGroup)];
  if (binaries !== undefined) {
    reading.needsFolder(binaries, 'keadm.keadmBinDir');
    return { kind: 'folder', folder: reading.paths.resolve(binaries), arches };
  }
  if (archives !== undefined && download?.enable !== true) {
    reading.needsFolder(archives, 'keadm.offlinePackageDir');
    needVersion(keadmVersion, reading.findings);
    return { kind: 'archives', folder: reading.paths.resolve(archives), version: keadmVersion, arches };
  }
  if (archives !== undefined)
    reading.findings.note('keadm.offlinePackageDir', 'is not used, since download.enable is true');
  if (url === undefined || download?.enable === false) return ownProgram(keadmVersion, reading.findings);
  needVersion(keadmVersion, reading.findings);
  checkUrl(url, reading.findings);
  return { kind: 'download', url: url.replace(/\/+$/, ''), version: keadmVersion, arches };
}

function given(written: string | undefined): string | undefined {
  return written === '' ? undefined : written;
}

function ownProgram(version: string, findings: Findings): ProgramSource {
  if (version !== '') {
    findings.note('keadm.keadmVersion', 'is not used: without a download.url or a folder, this executable is sent');
  }
  return { kind: 'own' };
}

function needVersion(version: string, findings: Findings): void {
  if (version === '') findings.problem('keadm.keadmVersion', 'must be given, such as "v1.23.1"');
  else if (!/^v\d+\.\d+\.\d+([-+][\w.+-]+)?$/.test(version)) {
    findings.problem('keadm.keadmVersion', 'must be a version such as "v1.23.1"');
  }
}

function checkUrl(url: string, findings: Findings): void {
  if (!/^https?:\/\/[^\s/]+/.test(url) || !URL.canParse(url)) {
    findings.problem('keadm.download.url', 'must be an address such as "https://mirror.example/keadm"');
  } else if (new URL(url).username !== '' || new URL(url).password !== '') {
    findings.problem('keadm.download.url', 'must not hold a user or a password');
  }
}
