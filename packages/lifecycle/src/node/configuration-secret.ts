/** What a run knows the text of a configuration by, which may hold passwords and so is in no plan. */
export const CONFIGURATION_SECRET = 'configuration';
