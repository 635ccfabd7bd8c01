/** The namespace in which the cloud keeps its own objects. */
export const CLOUD_NAMESPACE = 'kubeedge';

/** The secrets that hold the cloud's identity, with their keys. Certificates and keys are DER; EC keys are SEC1. */
export const CLOUD_SECRETS = {
  ca: { name: 'casecret', certificate: 'cadata', key: 'cakeydata' },
  server: { name: 'cloudcoresecret', certificate: 'cloudcoredata', key: 'cloudcorekeydata' },
  token: { name: 'tokensecret', token: 'tokendata' },
} as const;
