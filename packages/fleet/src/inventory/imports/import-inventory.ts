import { stringify } from 'yaml';
import { importAnsible } from './ansible-import.ts';
import { importCsv } from './csv-import.ts';
import type { ImportedInventory } from './imported.ts';
import { importK0sctl } from './k0sctl-import.ts';

/** The inventories of other tools that can be read. */
export const INVENTORY_FORMATS = ['csv', 'ansible', 'k0sctl'] as const;
export type InventoryFormat = (typeof INVENTORY_FORMATS)[number];

/** Makes the nodes of a batch file from another tool's inventory. Everything that is not imported is noted. */
export function importInventory(format: InventoryFormat, text: string, fileName: string): ImportedInventory {
  switch (format) {
    case 'csv':
      return importCsv(text, fileName);
    case 'ansible':
      return importAnsible(text, fileName);
    case 'k0sctl':
      return importK0sctl(text, fileName);
  }
}

/** The imported nodes as a part of a batch file; the remarks stand above them as comments. */
export function importedText({ content, remarks }: ImportedInventory, keadmCmd?: string): string {
  const { defaults, ...rest } = content;
  const all = keadmCmd === undefined ? defaults : { keadmCmd, ...defaults };
  const comments = remarks.map((remark) => `# ${remark}\n`).join('');
  return `${comments}${stringify(all === undefined ? rest : { defaults: all, ...rest }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
