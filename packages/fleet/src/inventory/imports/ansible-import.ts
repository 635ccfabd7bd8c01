import type { BatchFile, NodeSettings } from '../file/schema.ts';
import { readAnsibleIni, readAnsibleYaml } from './ansible-files.ts';
import { type AnsibleInventory, groupsOfHost, isEncrypted } from './ansible-inventory.ts';
import { translateVariables } from './ansible-variables.ts';
import {
  allowedName,
  given,
  type ImportedInventory,
  newRemarks,
  nodeNameOf,
  type Remarks,
  unreadable,
} from './imported.ts';

/** Makes nodes of an Ansible inventory: YAML or JSON by the name of the file, else INI. */
export function importAnsible(text: string, fileName: string): ImportedInventory {
  if (isEncrypted(text)) throw unreadable(fileName, ['1 is encrypted: import what "ansible-vault view" prints']);
  const remarks = newRemarks();
  const inventory = /\.(ya?ml|json)$/i.test(fileName)
    ? readAnsibleYaml(text, fileName, remarks)
    : readAnsibleIni(text, fileName);
  const content = {
    defaults: groupSettings('all', inventory, remarks),
    groups: groupsContent(inventory, remarks),
    nodes: [...inventory.hosts.keys()].flatMap((name) => nodeOf(name, inventory, remarks)),
  };
  return { content, remarks: remarks.list() };
}

type GroupSettings = NonNullable<BatchFile['groups']>[string];

/** A group that says nothing by itself is there all the same: nodes name it, and limits may be set on it. */
function groupsContent(inventory: AnsibleInventory, remarks: Remarks): BatchFile['groups'] {
  const names = [...inventory.groups.keys()].filter((name) => name !== 'all' && name !== 'ungrouped');
  if (names.length === 0) return undefined;
  return Object.fromEntries(
    names.map((name) => [allowedName('group', name, remarks), groupSettings(name, inventory, remarks) ?? {}]),
  );
}

function groupSettings(name: string, inventory: AnsibleInventory, remarks: Remarks): GroupSettings | undefined {
  const variables = inventory.groups.get(name)?.variables;
  if (variables === undefined || variables.size === 0) return undefined;
  const { settings, connection } = translateVariables(variables, remarks);
  const { ip, ...ssh } = settings.ssh ?? {};
  if (ip !== undefined) remarks.add(`The group "${name}" has one address for all its hosts, which was ignored`);
  if (connection !== undefined)
    remarks.add(`The group "${name}" asks for the connection "${connection}"; only ssh is supported`);
  return given({ ...settings, ssh: given(ssh) });
}

function nodeOf(name: string, inventory: AnsibleInventory, remarks: Remarks): readonly NodeSettings[] {
  const host = inventory.hosts.get(name);
  if (host === undefined) return [];
  const { settings, connection } = translateVariables(host.variables, remarks);
  if (connection !== undefined) {
    remarks.add(`Host "${name}" was left out: its connection is "${connection}", and only ssh is supported`);
    return [];
  }
  const groups = groupsOfHost(inventory, host).map(nodeNameOf);
  const node: NodeSettings = {
    nodeName: allowedName('name', name, remarks),
    groups: groups.length === 0 ? undefined : [...groups],
    ...settings,
    ssh: { ...settings.ssh, ip: settings.ssh?.ip ?? name },
  };
  return [node];
}
