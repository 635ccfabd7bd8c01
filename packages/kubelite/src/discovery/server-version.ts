import type { JsonObject } from '../objects/json.ts';

/** The Kubernetes version whose API this is like. */
export const KUBERNETES_VERSION = 'v1.32.0+kubelite';

/** What `/version` says. */
export function serverVersion(): JsonObject {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
  return {
    major,
    minor,
    gitVersion: KUBERNETES_VERSION,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: '',
  };
}
