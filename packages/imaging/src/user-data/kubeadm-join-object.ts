import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';

const Loose = orElse(z.record(z.string(), z.unknown()), {});
const NamedList = orElse(z.array(z.looseObject({ name: z.string() })), []);
const ArgumentMap = z.record(z.string(), z.string());

/** kubeadm's object, and what was changed on the way. */
export interface KubeadmJoin {
  readonly object: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Turns the join configuration of a KubeadmConfig, of either version of Cluster API's types, into kubeadm's own. */
export function kubeadmJoinObject(given: Readonly<Record<string, unknown>>): KubeadmJoin {
  const { nodeRegistration, discovery, timeouts, controlPlane: _, ...rest } = given;
  const { timeout, ...finding } = Loose.parse(discovery);
  const { registration, notes } = registrationOf(Loose.parse(nodeRegistration));
  const waiting = { ...(timeout === undefined ? {} : { discovery: timeout }), ...timeoutsOf(timeouts) };
  return {
    object: {
      ...rest,
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      ...(Object.keys(finding).length === 0 ? {} : { discovery: finding }),
      nodeRegistration: registration,
      ...(Object.keys(waiting).length === 0 ? {} : { timeouts: waiting }),
    },
    notes,
  };
}

/** The names that a template takes from the machine, which has the same name by then. */
const OWN_NAME =
  /^\{\{-?\s*(?:ds\.meta_data(?:\.|\[["'])(?:local[-_]hostname|hostname)(?:["']\])?|v1\.local_hostname|local_hostname)\s*-?\}\}$/;

/** Whether a text is a template of Jinja that stands for the name of the host. */
export function isOwnName(text: string): boolean {
  return OWN_NAME.test(text.trim());
}

interface Registration {
  readonly registration: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

function registrationOf({ name, kubeletExtraArgs, ...rest }: Readonly<Record<string, unknown>>): Registration {
  const takesOwnName = typeof name === 'string' && isOwnName(name);
  const args = argumentsOf(kubeletExtraArgs);
  const hasTaints = NamedList.parse(args);
  return {
    registration: {
      ...(name === undefined || takesOwnName ? {} : { name }),
      ...rest,
      ...(args === undefined ? {} : { kubeletExtraArgs: args }),
    },
    notes: [
      ...(takesOwnName
        ? ["The node has the host's own name, which the metadata must have set before user-data is run."]
        : []),
      ...(hasTaints.some((argument) => argument.name === 'register-with-taints')
        ? ['"register-with-taints" takes the place of all other taints: give taints in "nodeRegistration.taints".']
        : []),
    ],
  };
}

/** A mapping until v1beta1, a list since. */
function argumentsOf(given: unknown): unknown {
  const map = ArgumentMap.safeParse(given);
  return map.success ? Object.entries(map.data).map(([name, value]) => ({ name, value })) : given;
}

/** `tlsBootstrapSeconds: 300` is `tlsBootstrap: 300s` to kubeadm. */
function timeoutsOf(given: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(Loose.parse(given));
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key.endsWith('Seconds') && typeof value === 'number'
        ? [key.slice(0, -'Seconds'.length), `${value}s`]
        : [key, value],
    ),
  );
}
