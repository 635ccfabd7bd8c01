import { parseQuantity } from '../../objects/quantity.ts';
import type { FieldProblem } from '../reading/problem.ts';
import { durationMilliseconds } from '../scalars.ts';
import type { EdgecoreConfig } from './schema.ts';

type KubeletSettings = EdgecoreConfig['modules']['edged']['tailoredKubeletConfig'];

const SIGNALS: ReadonlySet<string> = new Set([
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
]);

/** What is wrong with the thresholds of evictions. A kubelet does not start with them either. */
export function checkEviction(path: string, settings: KubeletSettings): readonly FieldProblem[] {
  const { evictionHard, evictionSoft = {}, evictionMinimumReclaim = {}, evictionSoftGracePeriod = {} } = settings;
  const graces = Object.entries(evictionSoftGracePeriod).flatMap(([signal, period]) =>
    durationMilliseconds(period) > 0
      ? []
      : [{ path: `${path}.evictionSoftGracePeriod["${signal}"]`, message: 'must be a span of time such as "1m30s"' }],
  );
  const missing = Object.keys(evictionSoft)
    .filter((signal) => evictionSoftGracePeriod[signal] === undefined)
    .map((signal) => ({
      path: `${path}.evictionSoft["${signal}"]`,
      message: `needs evictionSoftGracePeriod["${signal}"]`,
    }));
  return [
    ...checkThresholds(`${path}.evictionHard`, evictionHard),
    ...checkThresholds(`${path}.evictionSoft`, evictionSoft),
    ...checkThresholds(`${path}.evictionMinimumReclaim`, evictionMinimumReclaim),
    ...graces,
    ...missing,
  ];
}

function checkThresholds(path: string, thresholds: Readonly<Record<string, string>>): readonly FieldProblem[] {
  return Object.entries(thresholds).flatMap(([signal, threshold]) => {
    const field = `${path}["${signal}"]`;
    if (!SIGNALS.has(signal)) return [{ path: field, message: `is not one of ${[...SIGNALS].join(', ')}` }];
    return isThreshold(threshold)
      ? []
      : [{ path: field, message: 'must be a share such as "10%" or an amount such as "100Mi"' }];
  });
}

function isThreshold(text: string): boolean {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  return percent === undefined ? parseQuantity(text) !== undefined : Number(percent) <= 100;
}
