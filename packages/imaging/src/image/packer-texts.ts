import { parseJson } from '@fenestra/kernel';
import type { ProjectProblem } from './validate-project.ts';

/** A value that a settings file (`*.pkrvars.hcl`) gives to a variable. */
export interface Setting {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** `undefined` for a value that is not on one line or is not a literal. */
  readonly value: unknown;
}

/** A literal of HCL on one line is JSON, and a comment can follow it. */
const ASSIGNMENT = /^\s*([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^#]*?)\s*(?:#.*)?$/;

/** The assignments at the top level of a settings file. Packer checks its syntax. */
export function readSettings(file: string, text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let depth = 0;
  for (const [index, line] of withoutHeredocs(text).split(/\r?\n/).entries()) {
    const [, name, value = ''] = (depth === 0 && ASSIGNMENT.exec(line)) || [];
    if (name !== undefined) settings.push({ file, line: index + 1, name, value: literal(value) });
    depth += bracketsOpened(line);
  }
  return settings;
}

function withoutHeredocs(text: string): string {
  return text.replaceAll(/<<-?(\w+)\r?\n[^]*?^\s*\1\s*$/gm, (heredoc) => heredoc.replaceAll(/[^\n]/g, ''));
}

function bracketsOpened(line: string): number {
  const code = line.replaceAll(/"(?:\\.|[^"\\])*"/g, '').replace(/(?:#|\/\/).*/, '');
  return (code.match(/[[{(]/g)?.length ?? 0) - (code.match(/[\]})]/g)?.length ?? 0);
}

function literal(text: string): unknown {
  const value = parseJson(text);
  return typeof value === 'string' && /[$%]\{/.test(value) ? undefined : value;
}

/** The errors in the output of a failed `packer validate`, each once. */
export function packerProblems(output: string): readonly ProjectProblem[] {
  const reports = output.split(/^(?=(?:Error|Warning): )/m).filter((report) => report.startsWith('Error: '));
  const problems = [...new Set(reports)].map(problemOf);
  if (problems.length > 0) return problems;
  return [{ severity: 'error', message: `Packer refuses the project: ${joined(output) || 'it gives no reason'}` }];
}

/** A report is a title, a place with an excerpt of the source, and an explanation, as paragraphs. */
function problemOf(report: string): ProjectProblem {
  const [title = '', ...others] = report.replace('Error: ', '').split(/\r?\n\r?\n/);
  const explanation = joined(others.filter((paragraph) => !/^\s+on .+ line \d+/.test(paragraph)).join('\n'));
  const message = explanation === '' ? joined(title) : `${joined(title)}: ${explanation.replace(/\.$/, '')}`;
  const [, file, line] = /^\s+on (.+) line (\d+)/m.exec(report) ?? [];
  const place = file === undefined ? {} : { file: file.replace(/^\.[/\\]/, ''), line: Number(line) };
  return { ...place, severity: 'error', message };
}

function joined(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
