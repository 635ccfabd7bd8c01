import { classify, classifyPlain, withoutTemplateLine } from '../cloudbase/classify.ts';
import { renderTemplate } from '../cloudbase/jinja.ts';
import { readMessage } from '../cloudbase/mime/message.ts';
import { lineOfOffset, partOf, type PlacedText, wholeFile } from '../cloudbase/placed-text.ts';
import { deliver } from '../cloudbase/service.ts';
import { checkCloudConfig } from './checks/cloud-config.ts';
import { checkDelivery, checkUnrecognised } from './checks/delivery.ts';
import { checkMessage } from './checks/message.ts';
import { checkScript } from './checks/script.ts';
import { checkSecrets } from './checks/secrets.ts';
import { checkTemplate } from './checks/template.ts';
import { type Finding, found, type LintContext, type Outcome, together, type Verdict } from './finding.ts';

/** What the document is taken for on the machine. */
export type DocumentKind = 'nothing' | 'mime' | 'cloud-config' | 'script' | 'certificate';

/** All that lint has to say of a document. */
export interface LintReport extends Verdict {
  readonly kind: DocumentKind;
  /** Whether it is rendered by Jinja before it is read. */
  readonly template: boolean;
}

/** More than any platform takes, and than is worth reading. */
export const MOST_BYTES = 1_048_576;

/** Judges user-data as it will be given to a machine, byte by byte. */
export function lintUserData(bytes: Uint8Array, context: LintContext): LintReport {
  const delivered = deliver(bytes, context.service);
  const findings = checkDelivery(bytes.length, delivered, context);
  if (delivered.kind !== 'text' || delivered.text.length > MOST_BYTES)
    return report('nothing', false, { findings, outcomes: [] });
  return withFindings(findings, lintDocument(wholeFile(delivered.text), context));
}

/** Judges a document, wherever its lines come from. */
export function lintDocument(document: PlacedText, context: LintContext): LintReport {
  const judged = classify(document.text);
  const secrets = checkSecrets(document, context);
  if (judged.kind === 'mime') return withFindings(secrets, lintMessage(document, context));
  if (judged.kind === 'template') return withFindings(secrets, lintTemplate(document, context));
  return withFindings([...secrets, ...checkUnrendered(document)], lintPlain(document));
}

function lintMessage(document: PlacedText, context: LintContext): LintReport {
  if (/^(?:From |[!-9;-~]+:)/.test(document.text)) {
    const parts = readMessage(document);
    // Lines of base64 hide what is in them; what is decoded does not.
    const hidden = parts.filter(({ encoding }) => encoding === 'base64' || encoding === 'quoted-printable');
    const secrets = hidden.flatMap(({ content }) => checkSecrets(content, context));
    return withFindings(secrets, report('mime', false, checkMessage(parts)));
  }
  const line = document.lineAt(lineOfOffset(document.text, document.text.indexOf('Content-Type: multipart')));
  const finding = found(
    'mime-by-accident',
    { line },
    '"Content-Type: multipart" makes it a MIME message, which has no parts',
  );
  return report('mime', false, { findings: [finding], outcomes: [nothing(document, 'read as a MIME message')] });
}

function lintTemplate(document: PlacedText, context: LintContext): LintReport {
  const template = partOf(document, withoutTemplateLine(document.text), 2);
  const rendering = renderTemplate(template, { version: context.version, service: context.service?.name });
  if (rendering.kind === 'failed') {
    const { line, reason } = rendering;
    const outcome = nothing(document, 'cannot be rendered; it is ignored and retried at every start');
    return report('nothing', true, {
      findings: [found('template-syntax', { line }, reason)],
      outcomes: [{ ...outcome, fate: 'fails' }],
    });
  }
  const findings = checkTemplate(rendering.nodes, context);
  return { ...withFindings(findings, lintPlain(rendering.result)), template: true };
}

function lintPlain(document: PlacedText): LintReport {
  const judged = classifyPlain(document.text);
  const line = document.lineAt(1);
  switch (judged.kind) {
    case 'cloud-config':
      return report('cloud-config', false, checkCloudConfig(document, { line, inPart: false }));
    case 'script':
      return report('script', false, checkScript('script', document, judged.interpreter));
    case 'certificate': {
      const findings = [found('certificate-ignored', { line }, 'it starts with a certificate, and nothing in it runs')];
      return report('certificate', false, { findings, outcomes: [nothing(document, 'left to other plugins')] });
    }
    case 'mime':
    case 'template':
    case 'unknown': {
      const findings = checkUnrecognised(document);
      return report('nothing', false, { findings, outcomes: [nothing(document, 'ignored as unsupported')] });
    }
  }
}

/** Braces that were meant for Jinja, where it never comes. */
function checkUnrendered({ text, lineAt }: PlacedText): readonly Finding[] {
  const at = text.search(/\{\{-?\s*(?:v1\.|ds\.meta_data|local_hostname|instance_id)/);
  if (at === -1) return [];
  const line = lineAt(lineOfOffset(text, at));
  return [found('template-not-rendered', { line }, 'its braces stay as they are: the first line asks for no template')];
}

function nothing({ lineAt }: PlacedText, effect: string): Outcome {
  return { line: lineAt(1), subject: 'document', fate: 'dropped', effect };
}

function report(kind: DocumentKind, template: boolean, verdict: Verdict): LintReport {
  return { kind, template, ...sorted(verdict) };
}

function withFindings(findings: readonly Finding[], { kind, template, ...verdict }: LintReport): LintReport {
  return { kind, template, ...sorted(together({ findings, outcomes: [] }, verdict)) };
}

function sorted({ findings, outcomes }: Verdict): Verdict {
  return { findings: findings.toSorted((a, b) => a.line - b.line), outcomes };
}
