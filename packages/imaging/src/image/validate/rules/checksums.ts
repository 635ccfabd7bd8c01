import type { Constant } from '../../../hcl/constant.ts';
import type { Place, ProjectModel } from '../project-model.ts';
import type { ProjectProblem } from '../project-problem.ts';

const SHA256 = /^[0-9a-f]{64}$/i;
const WITH_TYPE = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}|file:.+)$/i;
const KINDS: Readonly<Record<number, string>> = {
  32: 'MD5',
  40: 'SHA-1',
  64: 'SHA-256',
  96: 'SHA-384',
  128: 'SHA-512',
};

/** Checksums of a wrong type, and addresses that have none. */
export function checksums(model: ProjectModel): readonly ProjectProblem[] {
  return [...wrongChecksums(model), ...unprovedAddresses(model), ...halfOverrides(model)];
}

function wrongChecksums(model: ProjectModel): readonly ProjectProblem[] {
  return givenValues(model).flatMap(({ file, line, name, value }) => {
    if (typeof value !== 'string' || value === '') return [];
    if (name.endsWith('_sha256') && !SHA256.test(value))
      return [error({ file, line }, `"${name}" must be a SHA-256 digest of 64 hexadecimal digits${found(value)}`)];
    if (name.endsWith('_checksum') && !WITH_TYPE.test(value))
      return [error({ file, line }, `"${name}" must be "sha256:" or "sha512:" and the digest${found(value)}`)];
    return [];
  });
}

function found(value: string): string {
  const digits = value.replace(/^\w+:/, '');
  const kind = KINDS[digits.length];
  if (value === 'none') return '; "none" would accept anything';
  return kind === undefined || !/^[0-9a-f]+$/i.test(digits) ? '' : `; this one is of ${kind}`;
}

/** Whatever has an address has a checksum; only a signature proves itself. */
function unprovedAddresses({ variables }: ProjectModel): readonly ProjectProblem[] {
  const names = variables.map(({ name }) => name);
  return variables
    .filter(({ name }) => name.endsWith('_url') && !name.endsWith('_signature_url'))
    .filter(({ name }) => !['_sha256', '_checksum'].some((ending) => names.includes(name.replace(/_url$/, ending))))
    .map(({ file, line, name }) =>
      error({ file, line }, `"${name}" has no checksum: declare "${name.replace(/_url$/, '_sha256')}"`),
    );
}

/** Another address has other bytes, so it comes with another checksum; a signature comes with its key, and a key with its signature. */
function halfOverrides({ overrides, variables }: ProjectModel): readonly ProjectProblem[] {
  const given = (name: string): boolean =>
    overrides.some((override) => override.name === name && override.value !== '');
  const declared = (name: string): boolean => variables.some((variable) => variable.name === name);
  return overrides
    .filter(({ value }) => value !== '')
    .flatMap(({ file, line, name }) => {
      const [partner] = partnersOf(name).filter(declared);
      if (partner === undefined || given(partner)) return [];
      return [error({ file, line }, `"${name}" is given without "${partner}"`)];
    });
}

function partnersOf(name: string): readonly string[] {
  const [, prefix = '', half] = /^(.+)_(url|key)$/.exec(name) ?? [];
  if (prefix.endsWith('_signature')) return [`${prefix}_${half === 'url' ? 'key' : 'url'}`];
  return half === 'url' ? [`${prefix}_sha256`, `${prefix}_checksum`] : [];
}

function givenValues({
  variables,
  overrides,
}: ProjectModel): readonly (Place & { name: string; value: Constant | undefined })[] {
  return [...variables.map(({ file, line, name, default: value }) => ({ file, line, name, value })), ...overrides];
}

function error({ file, line }: Place, message: string): ProjectProblem {
  return { file, line, severity: 'error', message };
}
