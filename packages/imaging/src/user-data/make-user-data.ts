import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';
import { stringify } from 'yaml';
import { CLOUDBASE_VERSIONS } from '../cloudbase/version.ts';
import type { Finding } from '../lint/finding.ts';
import { lintUserData } from '../lint/lint-user-data.ts';
import { bootstrapScript, TOKEN_VARIABLE } from './bootstrap-script.ts';
import { requireRunnable, straySecretNotes, straySecrets, type UserDataForm, type UserDataRequest } from './request.ts';
import { STORE_SERVICES } from './secret-store.ts';

/** User-data, and what its author should know. */
export interface MadeUserData {
  readonly form: UserDataForm;
  readonly text: string;
  readonly notes: readonly string[];
}

const SCRIPT_FILE = String.raw`C:\run\cluster-api\bootstrap.ps1`;

/** Makes user-data and judges it by every release. Throws `USAGE` for what cannot be made well. */
export function makeUserData(request: UserDataRequest): MadeUserData {
  requireToken(request);
  requireRunnable([...request.commandsBefore, ...request.commandsAfter], 'USAGE');
  const secretNotes = straySecretNotes(request);
  const form = request.form ?? (hasSettings(request) ? 'multipart' : 'powershell');
  requireForm(form, request);
  const text = TEXTS[form](request);
  return { form, text, notes: [...tokenNotes(request), ...secretNotes, ...judged(text, request)] };
}

function hasSettings({ settings }: UserDataRequest): boolean {
  return Object.keys(settings).length > 0;
}

/** A token stands in the user-data only where there is nothing better, and in no store of another platform. */
function requireToken({ token, service }: UserDataRequest): void {
  if (service?.hasSecretStore !== true) return;
  if (token.kind === 'inline') {
    throw new OperatorError(
      'USAGE',
      `Cannot put the token into ${service.title}: everyone with access to the machine could read it`,
      { hint: 'Put it into the secret store of the platform and give "--secret-store", or remove "--service".' },
    );
  }
  if (STORE_SERVICES[token.store.kind] === service.name) return;
  throw new OperatorError('USAGE', `Cannot let a machine of "${service.name}" read ${token.store.kind}`, {
    hint: 'Give a store of the platform that the machine runs on, or correct "--service".',
  });
}

function requireForm(form: UserDataForm, request: UserDataRequest): void {
  if (form === 'powershell' && hasSettings(request)) {
    throw new OperatorError('USAGE', 'Cannot create users or set time servers with only a script', {
      hint: 'Give "--form multipart", or remove "--form".',
    });
  }
  const secret = request.files.find(({ isProtected }) => isProtected)?.path ?? straySecrets(request)[0]?.place;
  if (form !== 'cloud-config' || secret === undefined) return;
  throw new OperatorError('USAGE', `Cannot keep "${secret}" secret in a cloud-config: all users can read its files`, {
    hint: 'Give "--form multipart", or remove "--form".',
  });
}

const TEXTS: Readonly<Record<UserDataForm, (request: UserDataRequest) => string>> = {
  powershell: (request) => `#ps1_sysnative\n${bootstrapScript(request, 'script')}`,
  multipart: multipartText,
  'cloud-config': cloudConfigText,
};

function multipartText(request: UserDataRequest): string {
  const script = { type: 'text/x-shellscript', fileName: 'join.ps1', content: bootstrapScript(request, 'script') };
  if (!hasSettings(request)) return mimeMessage([script]);
  const content = `#cloud-config\n${asciiYaml(request.settings)}`;
  return mimeMessage([{ type: 'text/cloud-config', fileName: 'settings.yaml', content }, script]);
}

/** All may read the script's file. A token is handed over in the script of `runcmd`, which only the system sees. */
function cloudConfigText(request: UserDataRequest): string {
  const { token, settings } = request;
  const script = bootstrapScript(request, 'variable');
  const handOver = token.kind === 'inline' ? `set "${TOKEN_VARIABLE}=${token.token}" && ` : '';
  const run = `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy RemoteSigned -File ${SCRIPT_FILE}`;
  const file = {
    path: SCRIPT_FILE,
    encoding: 'gzip+base64',
    permissions: '0644',
    content: gzipSync(script, { level: 9 }).toString('base64'),
  };
  return `#cloud-config\n${asciiYaml({ write_files: [file], ...settings, runcmd: [`${handOver}${run}`] })}`;
}

/** JSON in the shape of YAML for all that is not plain: escapes instead of letters beyond ASCII. */
function asciiYaml(value: object): string {
  const text = stringify(value, {
    lineWidth: 0,
    version: '1.1',
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
  return text.replaceAll(/[^\n\x20-\x7e]/gu, escaped);
}

function escaped(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** The notes on an edge node's token depend on the time; `edgeRequest` makes them. */
function tokenNotes({ token, join }: UserDataRequest): readonly string[] {
  if (token.kind === 'inline' && join.kind === 'edge') return [];
  if (token.kind === 'inline') {
    return ['The user-data contains the token: let it expire soon, as with "kubeadm token create --ttl 15m".'];
  }
  const { kind, name, keep } = token.store;
  // Whatever runs on a machine may read and empty its guestinfo; elsewhere the platform asks who it is.
  const needs =
    kind === 'vsphere-guestinfo' ? '' : `; its identity must be allowed to read it${keep ? '' : ' and to delete it'}`;
  const later = keep ? 'It stays there: remove it yourself' : 'The machine removes it once it has joined';
  return [`Put the token into ${kind} as "${name}" before the machine starts${needs}. ${later}.`];
}

/** Nothing leaves that lint would complain of. */
function judged(text: string, request: UserDataRequest): readonly string[] {
  const findings = CLOUDBASE_VERSIONS.flatMap(
    (version) => lintUserData(Buffer.from(text), { version, service: request.service }).findings,
  );
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined) {
    throw new OperatorError('USAGE', `Cannot convert this to user-data: ${first.message}`, {
      hint: `See the rule "${first.rule}" in docs/reference/capi-lint.md.`,
    });
  }
  const noted = notedLines(text, request);
  const warnings = findings.filter(
    ({ severity, rule, line }) => severity === 'warning' && !(rule === 'secret-in-user-data' && noted.has(line)),
  );
  return [...new Set(warnings.map(warningNote))];
}

/** The lines whose secrets have their own note: the one that hands the token over, and those of files and commands. */
function notedLines(text: string, { token }: UserDataRequest): ReadonlySet<number> {
  const lines = text.split('\n');
  const handsOver = token.kind === 'inline' ? lines.findIndex((line) => line.includes(token.token)) : -1;
  const given = lines.flatMap((line, index) => (/^ {8}(?:Write-Bytes|Invoke-Command-Line) /.test(line) ? [index] : []));
  return new Set([handsOver, ...given].map((index) => index + 1));
}

function warningNote({ message, path }: Finding): string {
  return `${path === '' ? '' : `${path}: `}${message}.`;
}

/** A part of a message; its content is plain ASCII. */
export interface MessagePart {
  readonly type: string;
  readonly fileName: string;
  readonly content: string;
}

/** A MIME message as cloudbase-init takes it: its type in the first line, a file name for every part. */
function mimeMessage(parts: readonly MessagePart[]): string {
  const boundary = boundaryFor(parts);
  const head = `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n`;
  return `${head}${parts.map((part) => `--${boundary}\n${partText(part)}`).join('')}--${boundary}--\n`;
}

function partText({ type, fileName, content }: MessagePart): string {
  return [
    `Content-Type: ${type}; charset="us-ascii"`,
    'MIME-Version: 1.0',
    `Content-Disposition: attachment; filename="${fileName}"`,
    'Content-Transfer-Encoding: 7bit',
    '',
    content,
    '',
  ].join('\n');
}

/** Made of the contents, so that the same request gives the same bytes, and never a line of any of them. */
function boundaryFor(parts: readonly MessagePart[]): string {
  const whole = parts.map(({ content }) => content).join('\n');
  const digest = createHash('sha256').update(whole).digest('hex');
  const candidate = (length: number): string => `=_${digest.slice(0, length)}`;
  return whole.includes(candidate(24)) ? candidate(64) : candidate(24);
}
