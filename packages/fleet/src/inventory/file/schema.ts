import { labels, port, texts } from '@fenestra/contracts/reading';
import * as z from 'zod/mini';
import { address, atLeastOne, byteCount, nodeCount, oneOrMore, plainName, span, text } from './scalars.ts';

/** The ways to prove who asks to be let in, as a file names them. */
const AUTH_TYPES = ['password', 'privateKey', 'agent', 'keyboard-interactive'] as const;

/** One way to log in: its type, and the settings of that type below its key. */
export const AuthSettings = z.strictObject({
  type: z.optional(z.enum(AUTH_TYPES)),
  passwordAuth: z.optional(z.strictObject({ password: z.optional(text) })),
  privateKeyAuth: z.optional(
    z.strictObject({
      privateKeyPath: z.optional(text),
      passphrase: z.optional(text),
      certificatePath: z.optional(text),
    }),
  ),
  agentAuth: z.optional(z.strictObject({ socket: z.optional(text) })),
  keyboardInteractiveAuth: z.optional(z.strictObject({ answer: z.optional(text) })),
});
export type AuthSettings = z.infer<typeof AuthSettings>;

/** How to log in, apart from where: what defaults and groups may say as well. */
const LOGIN_FIELDS = {
  username: z.optional(text),
  port: z.optional(port),
  auth: z.optional(oneOrMore(AuthSettings)),
  hostKey: z.optional(oneOrMore(text)),
  transport: z.optional(z.enum(['auto', 'library', 'system'])),
};

/** A machine on the way. */
export const JumpSettings = z.strictObject({ ip: z.optional(address), ...LOGIN_FIELDS });
export type JumpSettings = z.infer<typeof JumpSettings>;

const JUMP_FIELD = { jump: z.optional(oneOrMore(z.union([text, JumpSettings]))) };

const LoginSettings = z.strictObject({ ...LOGIN_FIELDS, ...JUMP_FIELD });

/** How to reach one machine. */
export const SshSettings = z.strictObject({ ip: z.optional(address), ...LOGIN_FIELDS, ...JUMP_FIELD });
export type SshSettings = z.infer<typeof SshSettings>;

/** The architectures that a file may name. */
export const ARCHES = ['amd64', 'arm64', 'arm'] as const;

const KeadmSettings = z.strictObject({
  download: z.optional(z.strictObject({ enable: z.optional(z.boolean()), url: z.optional(text) })),
  keadmVersion: z.optional(text),
  archGroup: z.optional(z.array(z.enum(ARCHES))),
  offlinePackageDir: z.optional(text),
  keadmBinDir: z.optional(text),
  cmdTplArgs: z.optional(texts),
});
export type KeadmSettings = z.infer<typeof KeadmSettings>;

const BecomeSettings = z.strictObject({
  enable: z.optional(z.boolean()),
  method: z.optional(z.enum(['sudo', 'doas'])),
  password: z.optional(text),
});

const RetrySettings = z.strictObject({
  attempts: z.optional(atLeastOne),
  firstDelay: z.optional(span),
  longestDelay: z.optional(span),
});

const TimeoutSettings = z.strictObject({
  connect: z.optional(span),
  silence: z.optional(span),
  deliver: z.optional(span),
  command: z.optional(span),
});

const SHARED_FIELDS = {
  keadmCmd: z.optional(text),
  cmdTplArgs: z.optional(texts),
  copyFrom: z.optional(text),
  os: z.optional(z.enum(['linux', 'windows'])),
  labels: z.optional(labels),
  become: z.optional(BecomeSettings),
  retries: z.optional(RetrySettings),
  timeouts: z.optional(TimeoutSettings),
};

const Defaults = z.strictObject({ ...SHARED_FIELDS, ssh: z.optional(LoginSettings) });

const Group = z.strictObject({
  ...SHARED_FIELDS,
  ssh: z.optional(LoginSettings),
  maxDisrupted: z.optional(nodeCount),
});

/** One machine. */
const NodeSettings = z.strictObject({
  nodeName: z.optional(plainName),
  groups: z.optional(oneOrMore(text)),
  arch: z.optional(z.enum(ARCHES)),
  ...SHARED_FIELDS,
  ssh: z.optional(SshSettings),
});
export type NodeSettings = z.infer<typeof NodeSettings>;

const WaveSettings = z.strictObject({
  name: z.optional(plainName),
  size: z.optional(nodeCount),
  labels: z.optional(labels),
  soak: z.optional(span),
});
export type WaveSettings = z.infer<typeof WaveSettings>;

const HaltSettings = z.strictObject({
  failedPercent: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
  failedNodes: z.optional(z.int().check(z.minimum(0))),
});

const LimitSettings = z.strictObject({
  connections: z.optional(atLeastOne),
  bytesInFlight: z.optional(byteCount),
  disrupted: z.optional(nodeCount),
});

/** The file that `keadm batch` reads. Nothing is required here: defaults and groups may give most of it. */
export const BatchFile = z.strictObject({
  keadm: z.optional(KeadmSettings),
  maxRunNum: z.optional(atLeastOne),
  limits: z.optional(LimitSettings),
  waves: z.optional(z.array(WaveSettings)),
  halt: z.optional(HaltSettings),
  onHalt: z.optional(z.enum(['hold', 'roll-back'])),
  unreachable: z.optional(z.enum(['go-on', 'stop'])),
  delivery: z.optional(z.enum(['auto', 'push', 'pull'])),
  compress: z.optional(z.enum(['auto', 'always', 'never'])),
  allowClearSecrets: z.optional(z.boolean()),
  defaults: z.optional(Defaults),
  groups: z.optional(z.record(plainName, Group)),
  jumps: z.optional(z.record(plainName, JumpSettings)),
  nodes: z.optional(z.array(NodeSettings)),
});
export type BatchFile = z.infer<typeof BatchFile>;

/** What defaults, groups and nodes have in common. */
export type SharedSettings = Omit<NodeSettings, 'nodeName' | 'groups' | 'arch'>;
