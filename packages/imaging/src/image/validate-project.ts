import { looksLike, nearestKey } from '@fenestra/contracts/reading';
import { knownVariables } from './image-project.ts';
import { readSettings, type Setting } from './packer-texts.ts';
import type { ProjectVariable } from './variables.ts';

/** The files of a project by their paths relative to its folder, with `/`. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** A problem that makes a build fail or build the wrong image, or (a note) something that the operator should know. */
export interface ProjectProblem {
  /** Absent, like `line`, for what concerns the project as a whole. */
  readonly file?: string;
  readonly line?: number;
  readonly severity: 'error' | 'note';
  readonly message: string;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

interface Declared extends Place {
  readonly name: string;
}

interface Project {
  readonly files: ProjectFiles;
  /** The variables that the project declares. */
  readonly declared: readonly Declared[];
  readonly settings: readonly Setting[];
}

/** Packer reads only the files at the top of the folder. */
const CONFIGURATION = /^[^/]*\.pkr\.hcl$/;
const SETTINGS = /\.pkrvars\.hcl$/;

/** Whether the folder contains something that Packer builds. */
export function hasProject(files: ProjectFiles): boolean {
  return [...files.keys()].some((file) => CONFIGURATION.test(file));
}

const RULES: readonly ((project: Project) => readonly ProjectProblem[])[] = [
  unknownVariables,
  wrongValues,
  missingPartners,
  passwordsInFiles,
  missingFiles,
  missingValues,
];

/** What Packer does not check without building: the settings against the variables of our projects, and missing files. */
export function validateProject(files: ProjectFiles): readonly ProjectProblem[] {
  const configuration = [...files].filter(([file]) => CONFIGURATION.test(file));
  const declared = linesOf(configuration).flatMap(({ content, ...place }) => {
    const [, name] = /^\s*variable\s+"?([\w-]+)/.exec(content) ?? [];
    return name === undefined ? [] : [{ ...place, name }];
  });
  const settings = [...files]
    .filter(([file]) => SETTINGS.test(file))
    .flatMap(([file, text]) => readSettings(file, text));
  const found = RULES.flatMap((rule) => rule({ files, declared, settings }));
  return found.toSorted(
    (one, other) => (one.file ?? '').localeCompare(other.file ?? '', 'en') || (one.line ?? 0) - (other.line ?? 0),
  );
}

function linesOf(files: Iterable<readonly [string, string]>): readonly (Place & { readonly content: string })[] {
  return [...files].flatMap(([file, text]) =>
    text.split('\n').map((content, index) => ({ file, line: index + 1, content })),
  );
}

/** Packer only warns. */
function unknownVariables({ declared, settings }: Project): readonly ProjectProblem[] {
  const known = declared.map(({ name }) => name);
  return settings
    .filter(({ name }) => !known.includes(name))
    .map((setting) => {
      const near = nearestKey(setting.name, known);
      const hint = near !== undefined && looksLike(setting.name, near) ? `; did you mean "${near}"?` : '';
      return error(setting, `"${setting.name}" has a value, but there is no such variable${hint}`);
    });
}

/** Packer evaluates the conditions of variables only at a build. */
function wrongValues({ settings }: Project): readonly ProjectProblem[] {
  const known = knownVariables();
  return settings.flatMap((setting) => {
    const message = refusal(setting, known.get(setting.name));
    return message === undefined ? [] : [error(setting, message)];
  });
}

const WITH_TYPE = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|file:.+)$/i;

function refusal({ name, value }: Setting, variable: ProjectVariable | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name.endsWith('_sha256') && value !== '' && !/^[0-9a-f]{64}$/i.test(value))
    return `"${name}" must be a SHA-256 digest of 64 hexadecimal digits${describeDigest(value)}`;
  if (name.endsWith('_checksum') && value !== '' && !WITH_TYPE.test(value))
    return `"${name}" must be "sha256:" or "sha512:" and the digest${describeDigest(value)}`;
  const validation = variable?.validation;
  if (validation === undefined || !('pattern' in validation)) return undefined;
  const matched = new RegExp(validation.pattern, 'u').test(value);
  return matched || /_(?:sha256|checksum)$/.test(name) ? undefined : validation.message.replace(/\.$/, '');
}

const DIGESTS: Readonly<Record<number, string>> = {
  32: 'MD5',
  40: 'SHA-1',
  64: 'SHA-256',
  96: 'SHA-384',
  128: 'SHA-512',
};

function describeDigest(value: string): string {
  if (value === 'none') return '; "none" accepts anything';
  const digits = value.replace(/^\w+:/, '');
  const kind = /^[0-9a-f]+$/i.test(digits) ? DIGESTS[digits.length] : undefined;
  return kind === undefined ? '' : `; this one is ${kind}`;
}

/** Another address has other content and so another checksum; a signature and its key are useless alone. */
function missingPartners({ declared, settings }: Project): readonly ProjectProblem[] {
  const given = settings.filter(({ value }) => value !== '');
  return given.flatMap((setting) => {
    const partner = partnersOf(setting.name).find((name) => declared.some((variable) => variable.name === name));
    if (partner === undefined || given.some(({ name }) => name === partner)) return [];
    return [error(setting, `"${setting.name}" is set without "${partner}"`)];
  });
}

function partnersOf(name: string): readonly string[] {
  const [, prefix = '', half] = /^(.+)_(url|key)$/.exec(name) ?? [];
  if (prefix.endsWith('_signature')) return [`${prefix}_${half === 'url' ? 'key' : 'url'}`];
  return half === 'url' ? [`${prefix}_sha256`, `${prefix}_checksum`] : [];
}

function passwordsInFiles({ settings }: Project): readonly ProjectProblem[] {
  const known = knownVariables();
  return settings
    .filter(({ name, value }) => known.get(name)?.sensitive === true && value !== '')
    .map(({ file, line, name }) => {
      const message = `"${name}" is a password: set it in the environment as PKR_VAR_${name} instead`;
      return { file, line, severity: 'note', message };
    });
}

/** A relative path without `path.root` depends on where Packer is started. */
function missingFiles({ files }: Project): readonly ProjectProblem[] {
  return linesOf([...files].filter(([file]) => CONFIGURATION.test(file)))
    .filter(({ content }) => !/^\s*(?:#|\/\/)/.test(content))
    .flatMap(({ file, line, content }) =>
      [...content.matchAll(/"\$\{path\.root\}\/([^"$*]+)"/g)]
        .filter(([, path = '']) => !files.has(path))
        .map(([, path = '']) => error({ file, line }, `"${path}" does not exist`)),
    );
}

function missingValues({ declared, settings }: Project): readonly ProjectProblem[] {
  const known = knownVariables();
  return declared
    .filter(({ name }) => known.has(name) && known.get(name)?.default === undefined)
    .filter(({ name }) => !settings.some((setting) => setting.name === name))
    .map(({ file, line, name }) => ({ file, line, severity: 'note', message: `"${name}" still needs a value` }));
}

function error({ file, line }: Place, message: string): ProjectProblem {
  return { file, line, severity: 'error', message };
}
