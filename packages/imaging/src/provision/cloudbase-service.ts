/** cloudbase-init's name as a service. */
export const CLOUDBASE_SERVICE = 'cloudbase-init';
