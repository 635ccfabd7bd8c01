import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { duration, hostPort, textList } from '../../config/scalars.ts';
import type { KubeletArg } from '../kubelet-flags.ts';

/** The versions of kubeadm's API that can be read. */
export const API_VERSIONS = ['v1beta3', 'v1beta4', 'v1'] as const;

/** One of kubeadm's API versions. */
export type ApiVersion = (typeof API_VERSIONS)[number];

const text = z.string();
const token = text.check(
  z.regex(
    /^[a-z0-9]{6}\.[a-z0-9]{16}$/,
    'must be a bootstrap token: six characters, a dot and sixteen characters, all lower-case letters and digits',
  ),
);

const taint = z.object({
  key: text.check(
    z.regex(
      /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
      'must be the key of a taint, such as "example.com/dedicated"',
    ),
  ),
  value: z.optional(
    text.check(
      z.regex(
        /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/,
        'must be at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
      ),
    ),
  ),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  timeAdded: z.optional(text),
});

const argumentName = text.check(z.regex(/^[a-z0-9][a-z0-9-]*$/i, 'must be the name of an argument without its dashes'));

const EXTRA_ARGS_AS_MAPPING = z.record(argumentName, text);
const EXTRA_ARGS_AS_LIST = z.array(z.object({ name: argumentName, value: text }));

/** Both forms the extra arguments have had. */
type ExtraArgs = typeof EXTRA_ARGS_AS_MAPPING | typeof EXTRA_ARGS_AS_LIST;

const registration = <Args extends ExtraArgs>(extraArgs: Args) =>
  z.object({
    name: z.optional(text),
    criSocket: z.optional(text),
    taints: z.optional(z.array(taint)),
    kubeletExtraArgs: z.optional(extraArgs),
    ignorePreflightErrors: z.optional(textList),
    imagePullPolicy: z.optional(z.enum(['Always', 'IfNotPresent', 'Never'])),
    imagePullSerial: z.optional(z.boolean()),
  });

const discovery = {
  bootstrapToken: z.optional(
    z.object({
      token,
      apiServerEndpoint: hostPort,
      caCertHashes: z.optional(textList),
      unsafeSkipCAVerification: z.optional(z.boolean()),
    }),
  ),
  file: z.optional(z.object({ kubeConfigPath: text })),
  tlsBootstrapToken: z.optional(token),
};

const common = {
  apiVersion: text,
  kind: z.literal('JoinConfiguration'),
  dryRun: z.optional(z.boolean()),
  caCertPath: z.optional(text),
  controlPlane: z.optional(
    z.object({
      localAPIEndpoint: z.optional(z.object({ advertiseAddress: z.optional(text), bindPort: z.optional(z.int()) })),
      certificateKey: z.optional(text),
    }),
  ),
  skipPhases: z.optional(textList),
  patches: z.optional(z.object({ directory: z.optional(text) })),
};

const timeouts = z.object({
  controlPlaneComponentHealthCheck: z.optional(duration),
  kubeletHealthCheck: z.optional(duration),
  kubernetesAPICall: z.optional(duration),
  etcdAPICall: z.optional(duration),
  tlsBootstrap: z.optional(duration),
  discovery: z.optional(duration),
  upgradeManifests: z.optional(duration),
});

const V1Beta3 = z.object({
  ...common,
  discovery: z.object({ ...discovery, timeout: z.optional(duration) }),
  nodeRegistration: z.optional(registration(EXTRA_ARGS_AS_MAPPING)),
});

const V1Beta4 = z.object({
  ...common,
  discovery: z.object(discovery),
  nodeRegistration: z.optional(registration(EXTRA_ARGS_AS_LIST)),
  timeouts: z.optional(timeouts),
});

/** What the file says, in the form of its version. */
export type JoinFile = z.infer<typeof V1Beta3> | z.infer<typeof V1Beta4>;

/** The schema of each version. `v1` has the form of the last beta. */
export const JOIN_SCHEMAS: Readonly<Record<ApiVersion, z.ZodMiniType<JoinFile>>> = {
  v1beta3: V1Beta3,
  v1beta4: V1Beta4,
  v1: V1Beta4,
};

/** A field that counts only if it is of the right form; its own schema complains if it is not. */
function ifSound<Schema extends z.ZodMiniType>(schema: Schema) {
  return orElse(z.optional(schema), undefined);
}

const soundText = ifSound(z.string());
const eitherArgs = z.union([
  z.record(z.string(), z.string()),
  z.array(z.object({ name: z.string(), value: z.string() })),
]);

/** The fields of all versions that are checked together, each left out where it is of a wrong form. */
export const SoundParts = z.object({
  discovery: ifSound(
    z.object({
      bootstrapToken: ifSound(
        z.object({ caCertHashes: ifSound(textList), unsafeSkipCAVerification: ifSound(z.boolean()) }),
      ),
      file: ifSound(z.object({ kubeConfigPath: soundText })),
    }),
  ),
  caCertPath: soundText,
  nodeRegistration: ifSound(
    z.object({
      name: soundText,
      criSocket: soundText,
      kubeletExtraArgs: ifSound(eitherArgs),
      ignorePreflightErrors: ifSound(textList),
    }),
  ),
  controlPlane: z.optional(z.unknown()),
});

/** The kubelet's extra arguments in one form, whichever the file's version has. */
export function extraArgsOf(
  written: Readonly<Record<string, string>> | readonly KubeletArg[] | undefined,
): readonly KubeletArg[] {
  if (written === undefined) return [];
  return isList(written) ? written : Object.entries(written).map(([name, value]) => ({ name, value }));
}

function isList(written: object): written is readonly KubeletArg[] {
  return Array.isArray(written);
}
