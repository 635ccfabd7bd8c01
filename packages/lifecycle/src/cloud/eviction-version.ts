const FIRST_WITH_V1 = 22;

/** The `apiVersion` in which a server of this version takes an eviction. One that cannot be told is taken for a new one. */
export function evictionVersion(serverVersion: string): 'policy/v1' | 'policy/v1beta1' {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(serverVersion) ?? [];
  return major === '1' && Number(minor) < FIRST_WITH_V1 ? 'policy/v1beta1' : 'policy/v1';
}
