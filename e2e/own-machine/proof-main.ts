/**
 * Shows on the very machine it runs on, a Windows that no one needs afterwards, what the test systems cannot:
 *   node proof.cjs FOLDER [NAME …]      with rights of an administrator; FOLDER is what `pack-proof.ts` has made
 */
import { resolve } from 'node:path';
import { kitIn } from './proof-kit.ts';
import type { Proof } from './proof.ts';
import { contracts } from './proofs/contracts.ts';
import { installers } from './proofs/installers.ts';
import { life } from './proofs/life.ts';
import { pods } from './proofs/pods.ts';
import { recovery } from './proofs/recovery.ts';
import { say } from './say.ts';

const PROOFS: readonly Proof[] = [contracts, life, pods, installers, recovery];

async function main([folder = '.', ...names]: readonly string[]): Promise<void> {
  for (const proof of PROOFS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    say(proof.name);
    try {
      await proof.prove(kitIn(resolve(folder)));
      say(`${proof.name}: holds`);
    } catch (error) {
      process.exitCode = 1;
      say(`${proof.name}: does not hold\n${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}

void main(process.argv.slice(2));
