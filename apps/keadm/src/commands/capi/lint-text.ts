import {
  RULES,
  type Finding,
  type LintContext,
  type LintedDocument,
  type Outcome,
  type Severity,
} from '@fenestra/imaging';

/** The report for people: what happens, what was found, and how much of each. */
export function lintText(file: string, documents: readonly LintedDocument[], context: LintContext): string {
  const findings = documents.flatMap((document) => document.findings);
  return [...documents.map((document) => documentText(file, document, context)), countText(findings)].join('\n\n');
}

function documentText(file: string, document: LintedDocument, { version, service }: LintContext): string {
  const by = `cloudbase-init ${version}${service === undefined ? '' : `, by ${service.title}`}`;
  return [
    `${titleOf(file, document)}: ${KINDS[document.kind]}${document.template ? ', rendered by Jinja' : ''} (${by})`,
    ...document.outcomes.map(outcomeLine),
    ...(document.findings.length > 0 ? [''] : []),
    ...document.findings.flatMap((finding) => findingLines(file, finding)),
  ].join('\n');
}

function titleOf(file: string, { origin, name }: LintedDocument): string {
  if (origin === 'user-data') return file;
  return `${file}, ${origin}${name === '' ? '' : ` "${name}"`}, converted to user-data as Cluster API does`;
}

const KINDS: Readonly<Record<LintedDocument['kind'], string>> = {
  nothing: 'no executable content',
  mime: 'a MIME message',
  'cloud-config': 'a cloud-config',
  script: 'a script',
  certificate: 'a certificate',
};

const FATES: Readonly<Record<Outcome['fate'], string>> = {
  done: 'does   ',
  partly: 'partly ',
  dropped: 'drops  ',
  fails: 'fails  ',
};

function outcomeLine({ fate, line, subject, effect }: Outcome): string {
  return `  ${FATES[fate]} line ${line}, ${subject}: ${effect}`;
}

function findingLines(file: string, { severity, line, path, rule, message }: Finding): readonly string[] {
  const where = `${file}:${line}${path === '' ? '' : ` ${path}`}`;
  return [`  ${severity.padEnd(7)} ${where}: ${message} [${rule}]`, `          ${RULES[rule].remedy}`];
}

function countText(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No problems found';
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  return `${count('error')} error(s), ${count('warning')} warning(s), ${count('note')} note(s)`;
}
