import type { FoundArchive, NodeBackup, VersionBackup } from '@fenestra/lifecycle';
import { cleanText } from '@fenestra/platform/terminal-text';
import { bytesText } from '@fenestra/platform';

/** What `keadm backup` says about the archive it wrote. */
export function backupText(backup: NodeBackup, bytes: number): string {
  const { archive, encrypted, nodeName, version, files, missing } = backup;
  const width = Math.max(...files.map(({ role }) => role.length));
  return [
    `Wrote "${archive}"`,
    `  ${bytesText(bytes)}, ${encrypted ? 'encrypted' : 'not encrypted'}: the node "${nodeName}" with ${version}`,
    ...files.map(({ role, path }) => `  ${role.padEnd(width)}  ${path}`),
    ...(missing.length === 0 ? [] : [`Not included, because the node does not have it: ${missing.join(', ')}`]),
    encrypted
      ? 'Keep the passphrase: the archive cannot be opened without it.'
      : 'It contains the private key of the node: keep it safe.',
  ].join('\n');
}

/** What `keadm backup list` says. Without a folder nobody knows of archives. */
export function backupListText(
  versions: readonly VersionBackup[],
  archives: readonly FoundArchive[] | undefined,
): string {
  return [
    versions.length === 0 ? 'This machine has no replaced versions' : 'Versions for "keadm rollback":',
    ...versions.map(({ version, takenAt, bytes }) => `  ${version}  ${takenAt}  ${bytesText(bytes)}`),
    ...(archives === undefined ? [] : archiveLines(archives)),
  ].join('\n');
}

function archiveLines(archives: readonly FoundArchive[]): readonly string[] {
  return [
    archives.length === 0 ? 'The folder has no archives' : 'Archives for "keadm restore":',
    ...archives.map(
      ({ path, nodeName, version, created, bytes, encrypted }) =>
        `  ${[nodeName, version, created, bytesText(bytes), ...(encrypted ? ['encrypted'] : []), path].map(cleanText).join('  ')}`,
    ),
  ];
}
