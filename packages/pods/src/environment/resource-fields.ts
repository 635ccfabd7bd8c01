import { parseQuantity } from '@fenestra/contracts/objects';
import type { Container, ResourceReference } from '../pod/container-fields.ts';
import type { PodSpec } from '../pod/pod.ts';

/** Amounts by the name of a resource, as Kubernetes writes them. */
export type Amounts = Readonly<Record<string, string>>;

/**
 * The value of a resource of a container, divided and rounded up. A limit that is not set is all that the node has;
 * a request that is not set is the limit, or nothing. Undefined for what is no resource.
 */
export function resourceField(
  container: Container,
  { resource, divisor = '1' }: ResourceReference,
  allocatable: Amounts,
): string | undefined {
  const [, kind, name = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  const unit = parseQuantity(divisor) ?? 0;
  if (kind === undefined) return undefined;
  const { limits = {}, requests = {} } = container.resources;
  const text = kind === 'limits' ? (limits[name] ?? allocatable[name]) : (requests[name] ?? limits[name]);
  return String(roundUp((parseQuantity(text ?? '0') ?? 0) / (unit === 0 ? 1 : unit)));
}

/** The container a reference of a volume is about. */
export function containerOf({ containers, initContainers = [] }: PodSpec, name: string): Container | undefined {
  return [...containers, ...initContainers].find((container) => container.name === name);
}

/** Rounds up, but not because of what a division leaves in the last digits. */
function roundUp(value: number): number {
  return Math.ceil(Number(value.toPrecision(15)));
}
