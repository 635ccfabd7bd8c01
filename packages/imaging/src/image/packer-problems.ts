import type { ProjectProblem } from './validate-project.ts';

/** The errors in the output of a failed `packer validate`, each once. */
export function packerProblems(output: string): readonly ProjectProblem[] {
  const reports = output.split(/^(?=(?:Error|Warning): )/m).filter((report) => report.startsWith('Error: '));
  const problems = [...new Set(reports)].map(problemOf);
  if (problems.length > 0) return problems;
  return [{ severity: 'error', message: `Packer refuses the project: ${joined(output) || 'it does not say why'}` }];
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
