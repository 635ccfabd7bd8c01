/** Every key of cloud-config that cloudbase-init knows, in the order in which they are done. */
export const CLOUD_CONFIG_KEYS = [
  'write_files',
  'set_timezone',
  'timezone',
  'set_hostname',
  'hostname',
  'ntp',
  'groups',
  'users',
  'runcmd',
] as const;

/** A key that does something. */
export type CloudConfigKey = (typeof CLOUD_CONFIG_KEYS)[number];

/** Whether a key does anything. */
export function isCloudConfigKey(key: string): key is CloudConfigKey {
  return CLOUD_CONFIG_KEYS.some((each) => each === key);
}
