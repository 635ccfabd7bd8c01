/** The name the cloud has in every service manager. */
export const CLOUD_SERVICE = 'cloudcore';
