import { OperatorError } from '@fenestra/kernel';

const TARBALL = /^kubeedge-(v[^/\\]+?)-(linux|windows)-(amd64|arm64|arm)\.tar\.gz$/;
const ARCHES = { x64: 'amd64', arm64: 'arm64' } as const;

/** What a file name of an upstream release says. */
export interface UpstreamTarball {
  readonly name: string;
  readonly version: string;
  readonly os: 'linux' | 'windows';
  readonly arch: 'x64' | 'arm64' | 'arm';
}

/** Takes `kubeedge-v1.23.0-linux-amd64.tar.gz` apart; `undefined` if the name is not of this form. */
export function parseTarballName(name: string): UpstreamTarball | undefined {
  const [, version, os, arch] = TARBALL.exec(name) ?? [];
  if (version === undefined || (os !== 'linux' && os !== 'windows')) return undefined;
  return { name, version, os, arch: arch === 'amd64' ? 'x64' : arch === 'arm64' ? 'arm64' : 'arm' };
}

/** The name under which upstream publishes a version (`v1.23.0`) for a system. */
export function tarballName(version: string, os: 'linux' | 'windows', arch: 'x64' | 'arm64'): string {
  return `kubeedge-${version}-${os}-${ARCHES[arch]}.tar.gz`;
}

/** The file beside a tarball that holds its SHA-512 digest. */
export function checksumName(tarball: string): string {
  return `checksum_${tarball}.txt`;
}

/** Where the agent is inside a tarball. */
export function agentMember({ name, os }: UpstreamTarball): string {
  const folder = name.replace(/\.tar\.gz$/, '');
  return `${folder}/edge/${os === 'windows' ? 'edgecore.exe' : 'edgecore'}`;
}

/** The SHA-512 digest in a checksum file, in lower case. Upstream writes it alone; `sha512sum` adds the file's name. */
export function parseChecksum(text: string, name: string): string {
  const [, digest] = /^([0-9a-f]{128})(?:\s|$)/i.exec(text.trim()) ?? [];
  if (digest !== undefined) return digest.toLowerCase();
  throw new OperatorError('RELEASE_INVALID', `Cannot read "${name}": it does not contain a SHA-512 digest`, {
    hint: 'Get the checksum file again from the source of the tarball.',
  });
}
