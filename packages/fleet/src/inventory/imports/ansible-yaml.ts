import { readHostEntry } from './ansible-host.ts';
import { groupIn, hostIn, newInventory, type AnsibleInventory } from './ansible-inventory.ts';
import { unreadable, type Remarks } from './imported.ts';
import { entriesOf, readYamlDocuments } from './read-yaml.ts';

/** Reads an inventory in Ansible's YAML form. */
export function readAnsibleYaml(text: string, fileName: string, remarks: Remarks): AnsibleInventory {
  // What is tagged as unsafe is text as it stands; what has any other tag of its own, only Ansible can read.
  const [document] = readYamlDocuments(text, fileName, { seal: (tag) => tag !== '!unsafe' });
  const groups = entriesOf(document);
  if (groups.length === 0) throw unreadable(fileName, ['1 holds no groups']);
  const inventory = newInventory();
  for (const [name, group] of groups) readGroup(name, group, inventory, remarks);
  return inventory;
}

function readGroup(name: string, content: unknown, inventory: AnsibleInventory, remarks: Remarks): void {
  const group = groupIn(inventory, name);
  for (const [key, value] of entriesOf(content)) {
    if (key === 'hosts')
      for (const [host, variables] of entriesOf(value)) readHost(host, variables, name, inventory, remarks);
    else if (key === 'vars') for (const [variable, set] of entriesOf(value)) group.variables.set(variable, set);
    else if (key === 'children') {
      for (const [child, inner] of entriesOf(value)) {
        group.children.add(child);
        readGroup(child, inner, inventory, remarks);
      }
    } else remarks.add(`Key "${key}" of the group "${name}" is not known and was left out`);
  }
}

function readHost(
  pattern: string,
  variables: unknown,
  group: string,
  inventory: AnsibleInventory,
  remarks: Remarks,
): void {
  const entry = readHostEntry(pattern);
  if (entry === undefined) return remarks.add(`Host "${pattern}" has a range that cannot be read and was left out`);
  for (const name of entry.names) {
    const host = hostIn(inventory, name, group);
    if (entry.port !== undefined) host.variables.set('ansible_port', entry.port);
    for (const [variable, value] of entriesOf(variables)) host.variables.set(variable, value);
  }
}
