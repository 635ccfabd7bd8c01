import { parseQuantity } from '../../objects/quantity.ts';
import type { ConfigNote } from '../reading/effects.ts';
import type { FieldProblem } from '../reading/problem.ts';
import { duration, durationMilliseconds } from '../scalars.ts';
import type { EdgecoreConfig } from './schema.ts';

type KubeletSettings = EdgecoreConfig['modules']['edged']['tailoredKubeletConfig'];

const MEASURED: ReadonlySet<string> = new Set([
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
]);
/** Signals of a kubelet that this agent does not measure. */
const NOT_MEASURED: ReadonlySet<string> = new Set([
  'allocatableMemory.available',
  'containerfs.available',
  'containerfs.inodesFree',
]);

/** What is wrong with the thresholds of evictions. A kubelet does not start with them either. */
export function checkEviction(path: string, settings: KubeletSettings): readonly FieldProblem[] {
  const graces = Object.entries(settings.evictionSoftGracePeriod ?? {}).flatMap(([signal, period]) =>
    duration.safeParse(period).success && durationMilliseconds(period) >= 0
      ? []
      : [{ path: `${path}.evictionSoftGracePeriod["${signal}"]`, message: 'must be a span of time such as "1m30s"' }],
  );
  return [...thresholdsOf(path, settings).flatMap(checkThreshold), ...graces];
}

/** Thresholds that are valid and do nothing. */
export function evictionRemarks(path: string, settings: KubeletSettings): readonly ConfigNote[] {
  const { evictionSoft = {}, evictionSoftGracePeriod = {} } = settings;
  const ungraced = Object.keys(evictionSoft)
    .filter((signal) => MEASURED.has(signal) && evictionSoftGracePeriod[signal] === undefined)
    .map((signal) => ({
      path: `${path}.evictionSoft["${signal}"]`,
      reason: `it has no effect without evictionSoftGracePeriod["${signal}"]`,
    }));
  const unmeasured = thresholdsOf(path, settings)
    .filter(({ signal }) => NOT_MEASURED.has(signal))
    .map((threshold) => ({ path: threshold.path, reason: 'this agent does not measure it' }));
  return [...unmeasured, ...ungraced];
}

interface Threshold {
  readonly path: string;
  readonly signal: string;
  readonly text: string;
}

function thresholdsOf(path: string, settings: KubeletSettings): readonly Threshold[] {
  const { evictionHard, evictionSoft = {}, evictionMinimumReclaim = {} } = settings;
  return Object.entries({ evictionHard, evictionSoft, evictionMinimumReclaim }).flatMap(([field, thresholds]) =>
    Object.entries(thresholds).map(([signal, text]) => ({ path: `${path}.${field}["${signal}"]`, signal, text })),
  );
}

function checkThreshold({ path, signal, text }: Threshold): readonly FieldProblem[] {
  if (!MEASURED.has(signal) && !NOT_MEASURED.has(signal)) {
    return [{ path, message: `is not one of ${[...MEASURED].join(', ')}` }];
  }
  return isThreshold(text) ? [] : [{ path, message: 'must be a share such as "10%" or an amount such as "100Mi"' }];
}

function isThreshold(text: string): boolean {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  return percent === undefined ? parseQuantity(text) !== undefined : Number(percent) <= 100;
}
