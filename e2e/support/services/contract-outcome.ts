import type { CommandResult } from '../beds/command.ts';
import { CaseReport, RunReport } from '../contract-runner/report.ts';

/** What came of one run of the contract suites on one system. */
export interface ContractOutcome {
  readonly cases: readonly CaseReport[];
  /** Why the run cannot be trusted as a whole, if so: the runner died, or there was nothing to run. */
  readonly broken: string | undefined;
}

/** Reads the runner's lines. A run counts as whole only if its last line says so and it has any cases. */
export function readOutcome({ exitCode, stdout, stderr }: CommandResult): ContractOutcome {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const { cases, done, strange } = sortLines(lines);
  const problems = [
    ...(done ? [] : ['the runner ended early']),
    ...(cases.length > 0 ? [] : ['there was not a single case']),
    ...(exitCode === 0 ? [] : [`the runner ended with exit code ${exitCode}`]),
    ...strange.map((line) => `it printed: ${line}`),
  ];
  return { cases, broken: problems.length === 0 ? undefined : [...problems, stderr].join('\n') };
}

interface SortedLines {
  readonly cases: CaseReport[];
  readonly strange: string[];
  done: boolean;
}

function sortLines(lines: readonly string[]): SortedLines {
  const sorted: SortedLines = { cases: [], strange: [], done: false };
  for (const line of lines) {
    const value = parseJson(line);
    const report = CaseReport.safeParse(value);
    if (report.success) sorted.cases.push(report.data);
    else if (RunReport.safeParse(value).success) sorted.done = true;
    else sorted.strange.push(line);
  }
  return sorted;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
