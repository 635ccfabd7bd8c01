import { entriesOf, SEALED } from './read-yaml.ts';

/** How everything begins that Ansible has encrypted: a file as well as a single value. */
const HEADER = /^\s*(!vault\s*\||\$ANSIBLE_VAULT;)/;

/** Whether only Ansible can read a value: by its tag, by what it begins with, or as Ansible writes it in JSON. */
export function isEncrypted(value: unknown): boolean {
  if (typeof value === 'string') return HEADER.test(value);
  return value === SEALED || entriesOf(value).some(([key]) => key === '__ansible_vault');
}
