import { OperatorError } from '@fenestra/kernel';
import { stringify } from 'yaml';
import { z } from 'zod';
import { decodeContent, fileMode } from '../cloudbase/file-content.ts';
import type { KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import { seenSecrets } from '../lint/secret-pattern.ts';
import { isOwnName, kubeadmJoinObject } from './kubeadm-join-object.ts';
import type { UserDataFile, UserDataRequest } from './request.ts';

const File = z.object({
  path: z.string(),
  content: z.string().optional(),
  encoding: z.string().optional(),
  permissions: z.string().optional(),
  append: z.boolean().optional(),
});
const User = z.object({
  name: z.string(),
  gecos: z.string().optional(),
  groups: z.string().optional(),
  primaryGroup: z.string().optional(),
  passwd: z.string().optional(),
  inactive: z.boolean().optional(),
  sshAuthorizedKeys: z.array(z.string()).optional(),
});
const Spec = z.object({
  joinConfiguration: z.record(z.string(), z.unknown()).default({}),
  files: z.array(File).default([]),
  users: z.array(User).default([]),
  ntp: z.object({ servers: z.array(z.string()).optional(), enabled: z.boolean().optional() }).optional(),
  bootCommands: z.array(z.string()).default([]),
  preKubeadmCommands: z.array(z.string()).default([]),
  postKubeadmCommands: z.array(z.string()).default([]),
  verbosity: z.int().optional(),
});

/** What a KubeadmConfig asks for, as far as the command line does not say it. */
export interface KubeadmWishes extends Pick<
  UserDataRequest,
  'files' | 'commandsBefore' | 'commandsAfter' | 'settings'
> {
  /** kubeadm's own configuration, as text. */
  readonly configuration: string;
  readonly verbosity: number | undefined;
  readonly notes: readonly string[];
}

/** Reads a KubeadmConfig. Throws `CONFIG_INVALID` for what cannot be done on Windows, with its line. */
export function kubeadmWishes({ spec }: KubeadmConfigSource, source: string): KubeadmWishes {
  refuseFields(spec, source);
  const parsed = Spec.safeParse(spec.value ?? {});
  if (!parsed.success) throw invalid(source, spec.line, formProblem(parsed.error));
  const { data } = parsed;
  const { object, notes } = kubeadmJoinObject(data.joinConfiguration);
  refuseTemplates(spec, source);
  return {
    configuration: stringify(object, { lineWidth: 0 }),
    files: data.files.map((file) => toFile(file, source, spec.line)),
    commandsBefore: [...data.bootCommands, ...data.preKubeadmCommands],
    commandsAfter: data.postKubeadmCommands,
    settings: { ...settingsOf(data) },
    verbosity: data.verbosity,
    notes: [...notes, ...(data.bootCommands.length > 0 ? ['"bootCommands" run once, before all others.'] : [])],
  };
}

type Entry = KubeadmConfigSource['spec'];

const REFUSED: Readonly<Record<string, string>> = {
  diskSetup: 'disks are set up by commands on Windows',
  mounts: 'disks are mounted by commands on Windows',
  ignition: 'Ignition is for Linux',
};

function refuseFields({ members }: Entry, source: string): void {
  for (const { key, line } of members) {
    const reason = REFUSED[key];
    if (reason !== undefined) throw invalid(source, line, `"${key}" cannot be done: ${reason}`);
  }
}

function formProblem({ issues: [issue] }: z.ZodError): string {
  return `"${(issue?.path ?? []).join('.')}" has a wrong form`;
}

/** Jinja never sees this user-data: braces that it was to replace would stay. */
function refuseTemplates(spec: Entry, source: string): void {
  const fields = allBelow(spec).filter(({ value }) => !(typeof value === 'string' && isOwnName(value)));
  const template = fields.find(
    ({ value }) =>
      typeof value === 'string' &&
      /\{\{-?\s*(?:v1\.|ds\.|local_hostname|instance_id)|\{%-?\s*(?:raw|if|for|set)\b/.test(value),
  );
  if (template !== undefined)
    throw invalid(source, template.line, 'it is a template of Jinja: ask the machine in a command instead');
}

function allBelow({ members }: Entry): readonly Entry[] {
  return members.flatMap((member) => [member, ...allBelow(member)]);
}

function toFile(file: z.infer<typeof File>, source: string, line: number): UserDataFile {
  const { path, content, encoding, permissions, append = false } = file;
  if (content === undefined) {
    throw invalid(source, line, `the content of "${path}" is in a secret of the cluster: put it into the file instead`);
  }
  const decoded = decodeContent(content, encoding);
  if (decoded.problem !== undefined) throw invalid(source, line, `"${path}" is not encoded as it says`);
  const closed = permissions !== undefined && (fileMode(permissions) & 0o004) === 0;
  const isProtected = closed || seenSecrets(decoded.bytes.toString('latin1')).length > 0;
  return { path, content: decoded.bytes, append, isProtected: isProtected && !append };
}

/** Only keys that do something. */
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
      hint: 'Correct the line above; "keadm capi lint" says more of a KubeadmConfig.',
      details: { file: source, line },
    },
  );
}
