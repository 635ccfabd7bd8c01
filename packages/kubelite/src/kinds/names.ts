import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { invalidField } from './problems.ts';

/** How the names of a kind are spelled. */
export type NameRule = 'label' | 'path' | 'service' | 'subdomain';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const RULES: Readonly<Record<NameRule, { readonly pattern: RegExp; readonly longest: number; readonly why: string }>> =
  {
    label: {
      pattern: new RegExp(`^${LABEL}$`),
      longest: 63,
      why: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    },
    service: {
      pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
      longest: 63,
      why: `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    },
    subdomain: {
      pattern: new RegExp(`^${LABEL}(\\.${LABEL})*$`),
      longest: 253,
      why: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${LABEL}(\\.${LABEL})*')`,
    },
    path: { pattern: /^(?!\.{1,2}$)[^/%]+$/, longest: 253, why: `may not be '.' or '..', nor contain '/' or '%'` },
  };

/** What is wrong with an object's name, labels and annotations. */
export function metadataProblems({ metadata }: KubeObject, rule: NameRule): readonly FieldProblem[] {
  return [
    ...nameProblems('metadata.name', metadata.name, rule),
    ...Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => labelProblems(key, value)),
    ...Object.keys(metadata.annotations ?? {}).flatMap((key) => keyProblems('metadata.annotations', key.toLowerCase())),
  ];
}

/** What is wrong with a name. */
export function nameProblems(field: string, name: string, rule: NameRule): readonly FieldProblem[] {
  const { pattern, longest, why } = RULES[rule];
  if (name.length > longest) return [invalidField(field, name, `must be no more than ${longest} characters`)];
  return pattern.test(name) ? [] : [invalidField(field, name, why)];
}

function labelProblems(key: string, value: string): readonly FieldProblem[] {
  return [...keyProblems('metadata.labels', key), ...labelValueProblems('metadata.labels', value)];
}

function labelValueProblems(field: string, value: string): readonly FieldProblem[] {
  if (value.length > 63) return [invalidField(field, value, 'must be no more than 63 characters')];
  if (value === '' || QUALIFIED.test(value)) return [];
  const why =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  return [invalidField(field, value, why)];
}

/** What is wrong with a label's or a taint's key: a name, perhaps with a DNS prefix. */
export function keyProblems(field: string, key: string): readonly FieldProblem[] {
  const slash = key.indexOf('/');
  const name = key.slice(slash + 1);
  const prefixed = slash > 0 || slash === -1;
  const prefixFits = slash <= 0 || RULES.subdomain.pattern.test(key.slice(0, slash));
  if (prefixed && prefixFits && name.length <= 63 && QUALIFIED.test(name)) return [];
  const why =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  return [invalidField(field, key, why)];
}
