import * as z from 'zod/mini';
import { port } from '@fenestra/contracts/reading';
import { address, oneOrMore, text } from './scalars.ts';

/** The ways to prove who asks to be let in, as a file names them. */
const AUTH_TYPES = ['password', 'privateKey', 'agent', 'keyboard-interactive'] as const;

/** One way to log in: its type, and what that type needs below the key of its own. */
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

/** How to log in to several machines. */
export const LoginSettings = z.strictObject({ ...LOGIN_FIELDS, ...JUMP_FIELD });

/** How to reach one machine. */
export const SshSettings = z.strictObject({ ip: z.optional(address), ...LOGIN_FIELDS, ...JUMP_FIELD });
export type SshSettings = z.infer<typeof SshSettings>;
