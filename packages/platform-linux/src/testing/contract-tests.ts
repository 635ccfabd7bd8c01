import type { ContractCase } from '@fenestra/platform/contract';
import { test } from 'vitest';

/** Turns the cases of a contract suite into tests; what the system cannot show is skipped with its reason. */
export function testContract(cases: readonly ContractCase[], timeoutMs = 5_000): void {
  for (const promise of cases) {
    test(promise.name, { timeout: timeoutMs }, async (context) => {
      if (promise.skip !== undefined) context.skip(promise.skip);
      await promise.run();
    });
  }
}
