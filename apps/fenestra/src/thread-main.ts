import { loadBundle } from './load-bundle.ts';

// Where the thread of the embedded API begins in the executable.
loadBundle('embedded-api.cjs');
