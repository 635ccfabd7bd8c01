import { readFile } from 'node:fs/promises';
import {
  CLOUDBASE_VERSIONS,
  lintFile,
  OLDEST_VERSION,
  requireCloudbaseVersion,
  requireService,
  RULES,
  SERVICE_NAMES,
  worstOf,
  type LintContext,
  type LintedDocument,
  type Severity,
  type Finding,
  type Outcome,
} from '@fenestra/imaging';
import { ERROR_CODES, fileError } from '@fenestra/kernel';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import type { CommandResult } from '../../cli/result.ts';

interface LintFlags {
  readonly cloudbaseInit: string;
  readonly service?: string;
}

/** `keadm capi lint FILE`: what cloudbase-init will do with user-data, before a machine finds out. */
export function lintCommand({ environment, deliver }: CommandContext): Command {
  return new Command('lint')
    .description('Show what cloudbase-init does with user-data, and what it drops, repeats or misreads')
    .argument('<file>', 'user-data, KubeadmConfig or KubeadmConfigTemplate; "-" reads standard input')
    .option('--cloudbase-init <version>', `version of cloudbase-init: ${CLOUDBASE_VERSIONS.join(', ')}`, OLDEST_VERSION)
    .option(
      '--service <name>',
      `metadata service that delivers the user-data: ${SERVICE_NAMES.join(', ')} (default: any)`,
    )
    .addHelpText('after', '\nEvery rule is explained in docs/reference/capi-lint.md')
    .action(async (file: string, flags: LintFlags) => {
      const context = contextOf(flags);
      const bytes = file === '-' ? await environment.readInputBytes() : await readBytes(file);
      deliver(lintResult(file, lintFile(bytes, context), context));
    });
}

function contextOf({ cloudbaseInit, service }: LintFlags): LintContext {
  return {
    version: requireCloudbaseVersion(cloudbaseInit),
    service: service === undefined ? undefined : requireService(service),
  };
}

async function readBytes(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw fileError(cause, `read "${file}"`);
  });
}

const EXIT_CODES: Readonly<Record<Severity, number>> = {
  error: ERROR_CODES.USER_DATA_BROKEN,
  warning: ERROR_CODES.USER_DATA_DOUBTFUL,
  note: 0,
};

function lintResult(file: string, documents: readonly LintedDocument[], context: LintContext): CommandResult {
  const worst = worstOf(documents);
  return {
    data: {
      file,
      cloudbaseInit: context.version,
      service: context.service?.name,
      worst: worst ?? 'none',
      documents: documents.map(documentData),
    },
    text: lintText(file, documents, context),
    exitCode: worst === undefined ? 0 : EXIT_CODES[worst],
  };
}

function documentData({ findings, ...document }: LintedDocument): object {
  return { ...document, findings: findings.map((finding) => ({ ...finding, remedy: RULES[finding.rule].remedy })) };
}

/** The report for people: what happens, what was found, and how much of each. */
function lintText(file: string, documents: readonly LintedDocument[], context: LintContext): string {
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
