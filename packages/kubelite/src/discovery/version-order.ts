const SHAPE = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STABILITY = { alpha: 0, beta: 1, stable: 2 };

/** Orders API versions as Kubernetes does, the best first: `v2`, `v1`, `v1beta1`, `v1alpha1`, then anything else by name. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined || b === undefined) {
    if (a === b) return left.localeCompare(right);
    return a === undefined ? 1 : -1;
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function rankOf(version: string): { stability: number; major: number; minor: number } | undefined {
  const [, major, stage, minor = '0'] = SHAPE.exec(version) ?? [];
  if (major === undefined) return undefined;
  const stability = stage === 'alpha' || stage === 'beta' ? STABILITY[stage] : STABILITY.stable;
  return { stability, major: Number(major), minor: Number(minor) };
}
