import { parse, parseAllDocuments, stringify } from 'yaml';

/** YAML that Kubernetes reads as it was meant: texts such as `yes` are quoted, since its parser takes them for booleans. */
export function kubeYaml(value: unknown): string {
  return stringify(value, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

/** The value of a YAML text; `undefined` if it is none. What the parser says is left out: it may quote a secret. */
export function tryReadYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error', prettyErrors: false });
  } catch {
    return undefined;
  }
}

/** The values of a text with any number of YAML documents; `undefined` if one of them is none. */
export function tryReadDocuments(text: string): readonly unknown[] | undefined {
  try {
    const documents = parseAllDocuments(text, { logLevel: 'error', prettyErrors: false });
    if (documents.some(({ errors }) => errors.length > 0)) return undefined;
    return documents.map((document): unknown => document.toJS());
  } catch {
    // An alias without its anchor, or brackets that exhaust the stack.
    return undefined;
  }
}
