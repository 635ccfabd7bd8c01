import { RE2JS } from 're2js';
import type { CheckBudget } from './check-budget.ts';

/** A pattern as the schema checker uses it. */
export interface LinearRegExp {
  test(text: string): boolean;
  toString(): string;
}

/**
 * The engine for patterns from schemas: RE2, as in Kubernetes. It takes linear time, refuses patterns that expand to too
 * many instructions, and knows no look-around. Throws what is wrong with a pattern.
 */
export function linearRegExp(pattern: string, budget: CheckBudget): LinearRegExp {
  const compiled = RE2JS.compile(pattern);
  const size = compiled.programSize();
  return {
    test(text) {
      budget.spend(size * text.length);
      return compiled.test(text);
    },
    // The schema checker takes patterns with the same text for the same.
    toString: () => pattern,
  };
}
