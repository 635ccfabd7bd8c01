import { findKubeadmConfigs, holdsKubeadmConfig, type KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import type { LintContext } from './context.ts';
import { found, type Finding } from './finding.ts';
import { lintKubeadmConfig } from './lint-kubeadm-config.ts';
import { lintUserData, type LintReport } from './lint-user-data.ts';
import type { Severity } from './rule.ts';

/** A document of a file, and what lint says of it. */
export interface LintedDocument extends LintReport {
  /** What was given: user-data, or an object that user-data is made of. */
  readonly origin: 'user-data' | KubeadmConfigSource['kind'];
  readonly name: string;
}

/** Judges a file: user-data of any origin, or Kubernetes objects with a KubeadmConfig among them. */
export function lintFile(bytes: Uint8Array, context: LintContext): readonly LintedDocument[] {
  const text = Buffer.from(bytes).toString('utf8');
  if (!holdsKubeadmConfig(text)) return [{ origin: 'user-data', name: '', ...lintUserData(bytes, context) }];
  const configs = findKubeadmConfigs(text);
  if ('line' in configs) return [unreadable(configs.line)];
  return configs.map((config) => ({ origin: config.kind, name: config.name, ...lintKubeadmConfig(config, context) }));
}

function unreadable(line: number): LintedDocument {
  const findings: readonly Finding[] = [found('yaml-invalid', { line }, 'it is not YAML from here on')];
  return { origin: 'KubeadmConfig', name: '', kind: 'nothing', template: false, findings, outcomes: [] };
}

/** The most serious of all findings; `undefined` if there is none. */
export function worstOf(documents: readonly LintedDocument[]): Severity | undefined {
  const found = documents.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  return (['error', 'warning', 'note'] as const).find((severity) => found.includes(severity));
}
