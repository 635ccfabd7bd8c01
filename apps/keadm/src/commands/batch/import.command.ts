import {
  importedText,
  importInventory,
  INVENTORY_FORMATS,
  type InventoryFormat,
  EXAMPLE_BATCH_FILE,
} from '@fenestra/fleet';
import { Argument, Command } from 'commander';
import { readText } from '@fenestra/platform';
import { writeNewFile } from '../given-files.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import { joinLines } from '../config/config-text.ts';

interface ImportFlags {
  readonly to?: string;
  readonly keadmCmd?: string;
}

/** `keadm batch import FORMAT FILE`: the nodes of another tool's inventory, for a batch file. */
export function importCommand({ deliver }: CommandContext): Command {
  return new Command('import')
    .description('Make a batch file from the inventory of another tool; entries that cannot be converted are listed')
    .addArgument(new Argument('<format>', 'format of the inventory').choices(INVENTORY_FORMATS))
    .argument('<file>', 'inventory file')
    .option('--to <file>', 'write to a new file instead of standard output')
    .option('--keadm-cmd <command>', 'keadm command for all nodes, such as "join --cloudcore-ipport=…"')
    .action(async (format: InventoryFormat, file: string, { to, keadmCmd }: ImportFlags) => {
      const imported = importInventory(format, await readText(file, `the inventory "${file}"`), file);
      const { content, remarks } = imported;
      const text = importedText(imported, keadmCmd);
      const data = { nodes: content.nodes.length, content, remarks, text };
      if (to === undefined) return deliver(success(data, text.trimEnd()));
      await writeNewFile(to, text);
      const notes = remarks.map((remark) => `  note: ${remark}`);
      return deliver(
        success({ ...data, file: to }, joinLines(`Wrote ${content.nodes.length} node(s) to "${to}"`, ...notes)),
      );
    });
}

/** `keadm batch gen-config`: a batch file to begin with. */
export function genConfigCommand({ deliver }: CommandContext): Command {
  return new Command('gen-config')
    .description('Print a batch file to start from; add addresses, command and token')
    .option('--to <file>', 'write to a new file instead of standard output')
    .action(async ({ to }: { to?: string }) => {
      if (to === undefined) return deliver(success({ text: EXAMPLE_BATCH_FILE }, EXAMPLE_BATCH_FILE.trimEnd()));
      await writeNewFile(to, EXAMPLE_BATCH_FILE);
      return deliver(success({ file: to }, `Wrote "${to}": fill in addresses, command and token`));
    });
}
