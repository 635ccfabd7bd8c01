import type { BuiltNode } from './build-node.ts';
import type { Login } from './login.ts';
import type { Findings } from './problems.ts';

/** Tells of nodes that have the name or the address of an earlier one. */
export function checkDuplicates(built: readonly BuiltNode[], findings: Findings): void {
  const names = new Map<string, number>();
  const addresses = new Map<string, number>();
  for (const [index, { node, login }] of built.entries()) {
    // Names become files, and some file systems do not tell upper from lower case.
    const sameName = earlier(names, node.name.toLowerCase(), index);
    if (node.name !== '' && sameName !== undefined) {
      findings.problem(`nodes[${index}].nodeName`, `is the name of nodes[${sameName}] already`);
    }
    const sameAddress = earlier(addresses, addressOf(login), index);
    if (login.host !== '' && sameAddress !== undefined) {
      findings.problem(`nodes[${index}].ssh.ip`, `is, with its port, the address of nodes[${sameAddress}] already`);
    }
  }
}

function earlier(seen: Map<string, number>, key: string, index: number): number | undefined {
  const first = seen.get(key);
  if (first === undefined) seen.set(key, index);
  return first;
}

/** Behind different jump hosts the same address is another machine. */
function addressOf({ host, port, jumps }: Login): string {
  return [...jumps, { host, port }].map((login) => `${login.host.toLowerCase()} ${login.port}`).join(' ');
}
