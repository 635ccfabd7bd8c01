import { isProblem, splitText } from '../command/split-words.ts';
import {
  type AnsibleInventory,
  groupIn,
  hostIn,
  isBracketedAddress,
  newInventory,
  readHostEntry,
} from './ansible-inventory.ts';
import { entriesOf, readYamlDocuments, type Remarks, unreadable } from './imported.ts';

interface Section {
  readonly group: string;
  readonly kind: 'hosts' | 'children' | 'vars';
}

/** Reads an inventory in Ansible's INI form. */
export function readAnsibleIni(text: string, fileName: string): AnsibleInventory {
  const inventory = newInventory();
  const problems: string[] = [];
  let section: Section | undefined = { group: 'ungrouped', kind: 'hosts' };
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    const complain = (message: string): void => void problems.push(`${index + 1} ${message}`);
    if (isSection(line)) section = sectionOf(line, inventory, complain) ?? section;
    else readLine(line, section, inventory, complain);
  }
  if (problems.length > 0) throw unreadable(fileName, problems);
  return inventory;
}

/** What begins with a bracket is a section, unless it is an IPv6 address or a host's name goes on after the bracket. */
function isSection(line: string): boolean {
  const [first = ''] = line.split(/\s/, 1);
  return line.startsWith('[') && !/^\[[^\]]*\][^#]/.test(first) && !isBracketedAddress(first);
}

function sectionOf(
  line: string,
  inventory: AnsibleInventory,
  complain: (message: string) => void,
): Section | undefined {
  const [, group, kind = 'hosts'] = /^\[([^\]:\s]+)(?::(children|vars))?\]\s*(?:#.*)?$/.exec(line) ?? [];
  if (group === undefined) {
    complain('has a section that is none of "[group]", "[group:children]" and "[group:vars]"');
    return undefined;
  }
  groupIn(inventory, group);
  return { group, kind: kind === 'children' || kind === 'vars' ? kind : 'hosts' };
}

function readLine(
  line: string,
  { group, kind }: Section,
  inventory: AnsibleInventory,
  complain: (message: string) => void,
): void {
  if (kind === 'vars') {
    const [, name, value = ''] = /^([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) complain('is not "name=value"');
    else groupIn(inventory, group).variables.set(name, unquoted(value));
  } else if (kind === 'children') {
    const child = withoutComment(line);
    groupIn(inventory, child);
    groupIn(inventory, group).children.add(child);
  } else readHost(line, group, inventory, complain);
}

function readHost(line: string, group: string, inventory: AnsibleInventory, complain: (message: string) => void): void {
  const words = splitText(withoutComment(line), 'plain');
  if (isProblem(words)) return complain(words.problem);
  const [pattern = '', ...settings] = words;
  const entry = readHostEntry(pattern);
  if (entry === undefined) return complain('has a range that cannot be read');
  const pairs = settings.map((setting) => /^([\w.-]+)=(.*)$/s.exec(setting));
  if (pairs.includes(null)) return complain('has something after the host that is not "name=value"');
  for (const name of entry.names) {
    const { variables } = hostIn(inventory, name, group);
    if (entry.port !== undefined) variables.set('ansible_port', entry.port);
    for (const [, key = '', value = ''] of pairs.filter((pair) => pair !== null)) variables.set(key, value);
  }
}

function withoutComment(line: string): string {
  return line.replace(/\s+#.*$/, '').trim();
}

function unquoted(value: string): string {
  const plain = withoutComment(value);
  return /^(["'])(.*)\1$/.exec(plain)?.[2] ?? plain;
}

/** Reads an inventory in Ansible's YAML form. */
export function readAnsibleYaml(text: string, fileName: string, remarks: Remarks): AnsibleInventory {
  // A value tagged as unsafe is plain text. Only Ansible can read a value with another custom tag.
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
      for (const [host, variables] of entriesOf(value)) readYamlHost(host, variables, name, inventory, remarks);
    else if (key === 'vars') for (const [variable, set] of entriesOf(value)) group.variables.set(variable, set);
    else if (key === 'children') {
      for (const [child, inner] of entriesOf(value)) {
        group.children.add(child);
        readGroup(child, inner, inventory, remarks);
      }
    } else remarks.add(`Key "${key}" of the group "${name}" is not known and was left out`);
  }
}

function readYamlHost(
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
