import { bootstrapDocument } from '../kubeadm-config/bootstrap-document.ts';
import type { KubeadmConfigSource } from '../kubeadm-config/find-kubeadm-configs.ts';
import { checkKubeadmConfig } from './checks/kubeadm-config.ts';
import type { KubeadmConfigContext, LintContext } from './context.ts';
import type { Entry } from '../cloudbase/cloud-config/entry.ts';
import { found, type Finding } from './finding.ts';
import { lintDocument, type LintReport } from './lint-user-data.ts';

/** Judges a KubeadmConfig by what Cluster API makes of it; every line is one of the KubeadmConfig. */
export function lintKubeadmConfig(config: KubeadmConfigSource, context: KubeadmConfigContext): LintReport {
  const { spec } = config;
  // What comes of a KubeadmConfig without a spec, nobody has asked for.
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

/** What the provider adds by itself, nobody can change: the owner of its files, and its token. */
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
