/** Set by `npm run e2e` for suites that run along with all the others, which together have to stay short. */
const VARIABLE = 'FENESTRA_E2E_SHORT';

/** Whether a suite that has a short form is to run in it. */
export function isShortRun(): boolean {
  return process.env[VARIABLE] === 'yes';
}
