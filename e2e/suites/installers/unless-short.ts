import { test } from 'vitest';
import { isShortRun } from '../../support/reporting/short-run.ts';

/** Together with all the other suites only how installers are made is tested, not what becomes of a machine. */
export function describeUnlessShort(title: string, cases: () => void): void {
  if (!isShortRun()) return cases();
  test(title, ({ skip }) =>
    skip('it runs with "npm run e2e -- installers": together with all the others there is no time'),
  );
}
