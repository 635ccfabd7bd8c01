import * as z from 'zod/mini';
import { flag, integer, text, texts } from './scalars.ts';

const Profile = z.object({ type: z.string(), localhostProfile: text });

const SelinuxOptions = z.object({ user: text, role: text, type: text, level: text });

const WindowsOptions = z.object({ gmsaCredentialSpec: text, hostProcess: flag, runAsUserName: text });

const shared = {
  runAsUser: integer,
  runAsGroup: integer,
  runAsNonRoot: flag,
  seLinuxOptions: z.exactOptional(SelinuxOptions),
  seccompProfile: z.exactOptional(Profile),
  appArmorProfile: z.exactOptional(Profile),
  windowsOptions: z.exactOptional(WindowsOptions),
};

/** The security context of a container. */
export const SecurityContext = z.object({
  ...shared,
  allowPrivilegeEscalation: flag,
  capabilities: z.exactOptional(z.object({ add: texts, drop: texts })),
  privileged: flag,
  procMount: text,
  readOnlyRootFilesystem: flag,
});
export type SecurityContext = z.infer<typeof SecurityContext>;

/** The security context of a pod: the defaults of its containers, and what applies to all of them. */
export const PodSecurityContext = z.object({
  ...shared,
  fsGroup: integer,
  fsGroupChangePolicy: text,
  supplementalGroups: z.exactOptional(z.array(z.int())),
  supplementalGroupsPolicy: text,
  sysctls: z.exactOptional(z.array(z.object({ name: z.string(), value: z.string() }))),
});
export type PodSecurityContext = z.infer<typeof PodSecurityContext>;
