import { OperatorError } from '@fenestra/kernel';
import { stringify } from 'yaml';
import * as z from 'zod/mini';
import { decodeContent, fileMode } from '../cloudbase/file-content.ts';
import type { KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import { seenSecrets } from '../lint/checks/secrets.ts';
import type { JoinSource } from './join-text.ts';
import { kubeadmJoinObject, refusedField } from './kubeadm-fields.ts';
import type { UserDataCommand, UserDataFile, UserDataRequest } from './request.ts';

const File = z.object({
  path: z.string(),
  content: z.string(),
  encoding: z.optional(z.string()),
  permissions: z.optional(z.string()),
  append: z.optional(z.boolean()),
});
const User = z.object({
  name: z.string(),
  gecos: z.optional(z.string()),
  groups: z.optional(z.string()),
  primaryGroup: z.optional(z.string()),
  passwd: z.optional(z.string()),
  inactive: z.optional(z.boolean()),
  sshAuthorizedKeys: z.optional(z.array(z.string())),
});
const Spec = z.object({
  joinConfiguration: z.prefault(z.record(z.string(), z.unknown()), {}),
  files: z.prefault(z.array(File), []),
  users: z.prefault(z.array(User), []),
  ntp: z.optional(z.object({ servers: z.optional(z.array(z.string())), enabled: z.optional(z.boolean()) })),
  bootCommands: z.prefault(z.array(z.string()), []),
  preKubeadmCommands: z.prefault(z.array(z.string()), []),
  postKubeadmCommands: z.prefault(z.array(z.string()), []),
  verbosity: z.optional(z.int()),
});

/** What a KubeadmConfig asks for, as far as the command line does not say it. */
export interface KubeadmWishes extends Pick<
  UserDataRequest,
  'files' | 'commandsBefore' | 'commandsAfter' | 'settings'
> {
  readonly configuration: string;
  /** Where it stands in the file; `undefined` if it is the file. */
  readonly place: JoinSource['place'];
  readonly verbosity: number | undefined;
  readonly notes: readonly string[];
}

/** Reads a KubeadmConfig. Throws `CONFIG_INVALID` for what cannot be done on Windows, with its line. */
export function kubeadmWishes({ spec }: KubeadmConfigSource, source: string): KubeadmWishes {
  const refusal = refusedField(spec);
  if (refusal !== undefined) throw invalid(source, refusal.line, refusal.reason);
  const parsed = Spec.safeParse(spec.value ?? {});
  if (!parsed.success) throw formProblem(parsed.error, spec, source);
  const { data } = parsed;
  const { object, notes } = kubeadmJoinObject(data.joinConfiguration);
  const commandsIn = (field: CommandField): readonly UserDataCommand[] =>
    data[field].map((text, index) => ({ text, place: placeOf(entryAt(spec, [field, index]), source) }));
  return {
    configuration: stringify(object, { lineWidth: 0 }),
    place: { entry: spec, path: `${spec.path}.joinConfiguration` },
    files: data.files.map((file, index) => toFile(file, source, entryAt(spec, ['files', index]))),
    commandsBefore: [...commandsIn('bootCommands'), ...commandsIn('preKubeadmCommands')],
    commandsAfter: commandsIn('postKubeadmCommands'),
    settings: { ...settingsOf(data) },
    verbosity: data.verbosity,
    notes: [...notes, ...(data.bootCommands.length > 0 ? ['"bootCommands" run once, before all others.'] : [])],
  };
}

type Entry = KubeadmConfigSource['spec'];
type CommandField = 'bootCommands' | 'preKubeadmCommands' | 'postKubeadmCommands';

function placeOf({ line, path }: Entry, source: string): string {
  return `${source}:${line} ${path}`;
}

function formProblem({ issues: [issue] }: z.core.$ZodError, spec: Entry, source: string): OperatorError {
  const path = issue?.path ?? [];
  return invalid(source, entryAt(spec, path).line, `"${path.join('.')}" has a wrong form`);
}

/** The entry at a path, or the last one above it that is there. */
function entryAt(entry: Entry, [first, ...rest]: readonly PropertyKey[]): Entry {
  const member = typeof first === 'number' ? entry.members[first] : entry.members.find(({ key }) => key === first);
  return member === undefined ? entry : entryAt(member, rest);
}

function toFile(file: z.infer<typeof File>, source: string, entry: Entry): UserDataFile {
  const { path, content, encoding, permissions, append = false } = file;
  const decoded = decodeContent(content, encoding);
  if (decoded.problem !== undefined)
    throw invalid(source, entry.line, `"${path}" does not match its declared encoding`);
  const closed = permissions !== undefined && (fileMode(permissions) & 0o004) === 0;
  const isProtected = closed || seenSecrets(decoded.bytes.toString('latin1')).length > 0;
  const place = placeOf(entryAt(entry, ['content']), source);
  return { path, content: decoded.bytes, append, isProtected, place };
}

function settingsOf({ users, ntp }: z.infer<typeof Spec>): Readonly<Record<string, unknown>> {
  return {
    ...(ntp === undefined ? {} : { ntp: { enabled: ntp.enabled ?? true, servers: ntp.servers ?? [] } }),
    ...(users.length === 0 ? {} : { users: users.map(toUser) }),
  };
}

function toUser(user: z.infer<typeof User>): object {
  const { name, gecos, groups, primaryGroup, passwd, inactive, sshAuthorizedKeys } = user;
  return {
    name,
    ...(gecos === undefined ? {} : { gecos }),
    ...(groups === undefined ? {} : { groups: groups.split(/\s*,\s*/) }),
    ...(primaryGroup === undefined ? {} : { primary_group: primaryGroup }),
    ...(passwd === undefined ? {} : { passwd }),
    ...(inactive === true ? { inactive, no_create_home: true } : {}),
    ...(sshAuthorizedKeys === undefined ? {} : { ssh_authorized_keys: sshAuthorizedKeys }),
  };
}

function invalid(source: string, line: number, problem: string): OperatorError {
  return new OperatorError(
    'CONFIG_INVALID',
    `Cannot use "${source}" for Windows user-data\n  ${source}:${line} ${problem}`,
    {
      hint: 'Correct the line above; "keadm capi lint" checks a KubeadmConfig in full.',
      details: { file: source, line },
    },
  );
}
