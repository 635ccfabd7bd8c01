import {
  findAllKubeadmConfigs,
  holdsKubeadmConfig,
  type KubeadmConfigSource,
  type KubeadmConfigTrouble,
} from '../kubeadm-config/find-kubeadm-configs.ts';
import type { LintContext } from './context.ts';
import { unclosedIn } from './checks/unclosed.ts';
import { found, type Finding } from './finding.ts';
import { lintKubeadmConfig } from './lint-kubeadm-config.ts';
import { lintUserData, MOST_BYTES, type LintReport } from './lint-user-data.ts';
import type { Severity } from './rule.ts';

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
  return found('yaml-invalid', unclosed ?? { line }, unclosed?.message ?? 'it is not YAML from here on');
}

/** The most serious of all findings; `undefined` if there is none. */
export function worstOf(documents: readonly LintedDocument[]): Severity | undefined {
  const severities = documents.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  return (['error', 'warning', 'note'] as const).find((severity) => severities.includes(severity));
}
