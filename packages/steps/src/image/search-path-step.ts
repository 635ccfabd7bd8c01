import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { setupOf } from './registry-step.ts';

/** Makes the programs of a folder known to every shell of the machine. */
export const addToSearchPath = defineStep({
  kind: 'add-to-search-path',
  data: z.object({ folder: z.string() }),
  before: z.object({ wasThere: z.boolean() }),
  describe: ({ folder }) => `Add "${folder}" to the search path of the machine`,
  async prepare({ folder }, { ports }) {
    const entries = await setupOf(ports).searchPath.entries();
    return { wasThere: entries.some((entry) => isSameFolder(entry, folder)) };
  },
  apply: async ({ folder }, _before, { ports }) => setupOf(ports).searchPath.add(folder),
  async revert({ folder }, { wasThere }, { ports }) {
    if (!wasThere) await setupOf(ports).searchPath.remove(folder);
  },
});

/** Whether two entries of a search path mean the same folder of Windows. */
export function isSameFolder(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(folder: string): string {
  return folder.replaceAll('"', '').replace(/\\+$/, '').toLowerCase();
}
