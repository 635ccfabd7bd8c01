import type { Life } from './administrator.ts';

/** The node a row is about, and its cloud; a function because they exist only once the tests run. */
export type LifeParts = () => Life;
