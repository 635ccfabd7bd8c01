import * as z from 'zod/mini';
import { OperatorError } from '@fenestra/kernel';

/** Where an archive has the manifests of static pods, whose names the node's operator chose. */
const STATIC_PODS_FOLDER = 'static-pods/';

const PATHS: Readonly<Record<Exclude<BackupRole, 'static-pod'>, string>> = {
  executable: 'edgecore',
  configuration: 'edgecore.yaml',
  database: 'edgecore.db',
  ca: 'certificates/ca.crt',
  certificate: 'certificates/node.crt',
  key: 'certificates/node.key',
  version: 'version.txt',
};

/** What a file is called in an archive. `fileName` counts only for static pods. */
export function memberPath(role: BackupRole, fileName: string): string {
  return role === 'static-pod' ? `${STATIC_PODS_FOLDER}${fileName}` : PATHS[role];
}

/** The file name of a static pod's manifest. */
export function podFileName(path: string): string {
  return path.slice(STATIC_PODS_FOLDER.length);
}

/** Whether the name is one file in a folder on every system. What begins with a dot is not a manifest to a kubelet either. */
export function isPodFileName(name: string): boolean {
  return name.length <= 255 && /^[^./\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*$/u.test(name) && !/[. ]$/.test(name);
}

/** The first member of every archive: it says what the others are. */
export const BACKUP_MANIFEST = 'manifest.json';

/** Far above any real manifest, and small enough to be read at once. */
export const MOST_MANIFEST_BYTES = 1024 * 1024;

/** What a file is to the node. Where it goes follows from this alone, never from a name in the archive. */
export const BackupRole = z.enum([
  'executable',
  'configuration',
  'database',
  'ca',
  'certificate',
  'key',
  'version',
  'static-pod',
]);
export type BackupRole = z.infer<typeof BackupRole>;

const BackupFile = z.strictObject({
  path: z.string(),
  role: BackupRole,
  size: z.int().check(z.minimum(0)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  mode: z.int().check(z.minimum(0), z.maximum(0o777)),
});
/** One file of a backup. */
export type BackupFile = z.infer<typeof BackupFile>;

const ServiceSettings = z.strictObject({
  startType: z.enum(['automatic', 'automatic-delayed', 'manual', 'disabled']),
  dependencies: z.array(z.string()),
  recovery: z.strictObject({ restartDelaysSeconds: z.array(z.number()), resetAfterSeconds: z.number() }),
});

/** What a backup is of: everything in its manifest but the files. */
export const BackupSubject = z.strictObject({
  schema: z.literal(1),
  nodeName: z.string().check(z.minLength(1), z.maxLength(253)),
  version: z.string(),
  /** Whose program the agent is: ours says how it is, of upstream's only the service can be seen. */
  agent: z.enum(['fenestra', 'upstream']),
  os: z.enum(['linux', 'windows']),
  arch: z.enum(['x64', 'arm64', 'other']),
  created: z.iso.datetime(),
  /** Where the node lived, so that paths in its configuration can follow it to another place. */
  folders: z.strictObject({ config: z.string(), state: z.string() }),
  service: z.nullable(ServiceSettings),
});
export type BackupSubject = z.infer<typeof BackupSubject>;

/** What is in an archive. Unknown keys are refused, so that nothing is ever restored that no one understands. */
const BackupManifest = z.extend(BackupSubject, { files: z.array(BackupFile) });
export type BackupManifest = z.infer<typeof BackupManifest>;

/** Reads the text of a manifest; one that contradicts itself is as bad as one that cannot be read. */
export function parseBackupManifest(text: string): BackupManifest {
  const manifest = readShape(text);
  const problem = contradictionIn(manifest.files);
  if (problem !== undefined) throw invalidBackup(problem);
  return manifest;
}

function readShape(text: string): BackupManifest {
  try {
    return BackupManifest.parse(JSON.parse(text));
  } catch (cause) {
    throw invalidBackup('has a manifest that this version of keadm cannot read', cause);
  }
}

function contradictionIn(files: readonly BackupFile[]): string | undefined {
  const roles = files.map(({ role }) => role).filter((role) => role !== 'static-pod');
  if (!roles.includes('executable') || !roles.includes('configuration')) return 'lacks the agent or its configuration';
  const paths = [BACKUP_MANIFEST, ...files.map(({ path }) => path.toLowerCase())];
  if (new Set(roles).size < roles.length || new Set(paths).size < paths.length) return 'has a file twice';
  const pods = files.filter(({ role }) => role === 'static-pod');
  return pods.every(({ path }) => isPodPath(path)) ? undefined : 'has a file with a name that is not allowed';
}

function isPodPath(path: string): boolean {
  return path.startsWith(STATIC_PODS_FOLDER) && isPodFileName(path.slice(STATIC_PODS_FOLDER.length));
}

/** A backup that must not be used. `reason` completes "Cannot use the backup: it …". */
export function invalidBackup(reason: string, cause?: unknown): OperatorError {
  return new OperatorError('BACKUP_INVALID', `Cannot use the backup: it ${reason}`, {
    hint: 'Use another backup; "keadm backup list" shows those there are.',
    cause,
  });
}
