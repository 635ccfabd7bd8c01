import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import type { Entry } from '../cloudbase/cloud-config/entry.ts';

/** What the controller fills in, made up: it is known only when a machine is made. */
const FILLED_IN = {
  apiServerEndpoint: 'control-plane.example:6443',
  caCertHashes: [`sha256:${'0'.repeat(64)}`],
  token: 'abcdef.0123456789abcdef',
};
const TAINT = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };

const Loose = orElse(z.record(z.string(), z.unknown()), {});
const LooseList = orElse(z.array(z.unknown()), []);

/** The join configuration as the controller completes it. */
export function joinObject({ key, value }: Entry): Readonly<Record<string, unknown>> {
  const given = key === 'joinConfiguration' ? mapping(value) : {};
  const discovery = mapping(given['discovery']);
  const registration = mapping(given['nodeRegistration']);
  const taints = LooseList.parse(registration['taints']);
  return {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    ...given,
    discovery:
      'file' in discovery
        ? discovery
        : { ...discovery, bootstrapToken: { ...FILLED_IN, ...mapping(discovery['bootstrapToken']) } },
    nodeRegistration: { ...registration, taints: [...taints, TAINT] },
  };
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return Loose.parse(value);
}
