import type { Entry } from '../cloudbase/cloud-config/entry.ts';
import { bootstrapDocument } from '../kubeadm-config/bootstrap-document.ts';
import {
  findAllKubeadmConfigs,
  holdsKubeadmConfig,
  type KubeadmConfigSource,
  type KubeadmConfigTrouble,
} from '../kubeadm-config/find-kubeadm-configs.ts';
import { checkKubeadmConfig } from './checks/kubeadm-config.ts';
import { unclosedIn } from './checks/unclosed.ts';
import { type Finding, found, type KubeadmConfigContext, type LintContext } from './finding.ts';
import { lintDocument, type LintReport, lintUserData, MOST_BYTES } from './lint-user-data.ts';
import type { Severity } from './rules.ts';

/** A document of a file, and what lint says of it. */
export interface LintedDocument extends LintReport {
  /** What was given: user-data, or an object that user-data is made of. */
  readonly origin: 'user-data' | KubeadmConfigSource['kind'];
  readonly name: string;
}

/** Judges a file: user-data of any origin, or Kubernetes objects with a KubeadmConfig among them. */
export function lintFile(bytes: Uint8Array, context: LintContext): readonly LintedDocument[] {
  const userData: LintedDocument = { origin: 'user-data', name: '', ...lintUserData(bytes, context) };
  const text = Buffer.from(bytes).toString('utf8');
  if (bytes.length > MOST_BYTES || !holdsKubeadmConfig(text)) return [userData];
  const configs = findAllKubeadmConfigs(text);
  if ('line' in configs) return [unreadable(configs, text)];
  const wrapped = !/^[\t ]*insecureSkipSecretsManager:[\t ]*true[\t ]*$/m.test(text);
  const linted = configs.map((config) => ({
    origin: config.kind,
    name: config.name,
    ...lintKubeadmConfig(config, { ...context, wrapped }),
  }));
  return linted.length === 0 ? [userData] : linted;
}

function unreadable(trouble: KubeadmConfigTrouble, text: string): LintedDocument {
  const findings = [findingOf(trouble, text)];
  return { origin: 'KubeadmConfig', name: '', kind: 'nothing', template: false, findings, outcomes: [] };
}

function findingOf({ line, repeated }: KubeadmConfigTrouble, text: string): Finding {
  if (repeated !== undefined) {
    const message = `"${repeated}" is repeated, which kubectl rejects`;
    return found('key-repeated', { line }, message, 'error');
  }
  const unclosed = unclosedIn(text);
  return found('yaml-invalid', unclosed ?? { line }, unclosed?.message ?? 'it is not valid YAML');
}

/** The most serious of all findings; `undefined` if there is none. */
export function worstOf(documents: readonly LintedDocument[]): Severity | undefined {
  const severities = documents.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  return (['error', 'warning', 'note'] as const).find((severity) => severities.includes(severity));
}

/** Judges a KubeadmConfig by what Cluster API makes of it; every line is one of the KubeadmConfig. */
function lintKubeadmConfig(config: KubeadmConfigSource, context: KubeadmConfigContext): LintReport {
  const { spec } = config;
  // A KubeadmConfig without a spec produces no user-data.
  if (config.missing !== undefined) {
    return { kind: 'nothing', template: false, findings: checkKubeadmConfig(config, context), outcomes: [] };
  }
  const document = bootstrapDocument(spec);
  // Paths in the document are the provider's; a line says which field they come from.
  const generated = lintDocument({ text: document.text, lineAt: (line) => line }, context);
  const size = Buffer.byteLength(document.text);
  const findings = [
    ...checkKubeadmConfig(config, context),
    ...checkMadeSize(size, context),
    ...generated.findings.flatMap((finding) => atSource(finding, document.sourceAt(finding.line), spec)),
  ];
  return {
    ...generated,
    findings: findings.toSorted((a, b) => a.line - b.line),
    outcomes: generated.outcomes.map(({ line, effect, ...outcome }) => ({
      ...outcome,
      line: document.lineAt(line),
      effect: isFromSecret(document.sourceAt(line), spec) ? effect.replace(/\d+ bytes/, 'what a secret holds') : effect,
    })),
  };
}

/** Content that only the management cluster knows: something else stands in its place here. */
function isFromSecret({ path }: Entry, { members }: Entry): boolean {
  const files = members.find(({ key }) => key === 'files')?.members ?? [];
  const file = files.find((each) => path.startsWith(`${each.path}.`));
  return file?.members.some(({ key }) => key === 'contentFrom') === true;
}

/** The author of a KubeadmConfig cannot change what the provider adds: the owner of its files, and its token. */
function atSource(finding: Finding, { line, path }: Entry, spec: Entry): readonly Finding[] {
  const isOwn = path === spec.path || path === `${spec.path}.joinConfiguration`;
  if (isOwn && finding.rule === 'file-key-ignored') return [];
  const isToken = isOwn && finding.rule === 'secret-in-user-data';
  return [{ ...finding, line, path, ...(isToken ? TOKEN_NOTE : {}) }];
}

const TOKEN_NOTE = {
  severity: 'note',
  message: 'the bootstrap token, which lasts for 15 minutes, is put into the user-data by Cluster API',
} as const;

function checkMadeSize(size: number, { service }: LintContext): readonly Finding[] {
  const most = service?.mostBytes;
  if (service === undefined || most === undefined || size <= most) return [];
  return [found('too-large', { line: 1 }, `Cluster API makes ${size} bytes of it, and ${service.title} takes ${most}`)];
}
