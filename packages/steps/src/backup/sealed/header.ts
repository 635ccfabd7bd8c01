import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import type { Secrets } from '@fenestra/session';
import { invalidBackup } from '../manifest.ts';

const MAGIC = Buffer.from('FENESTRA', 'latin1');
const FORMAT = 1;
/** What scrypt has to do for every guess at a passphrase. */
export interface KeyCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** 64 MiB of memory, twice. */
const COST: KeyCost = { logN: 16, r: 8, p: 2 };
/** More than this no file of ours asks for; a forged one must not exhaust the machine. */
const HIGHEST_LOG_N = 20;
const SALT_BYTES = 16;
const PROOF_BYTES = 32;
const PARAMETER_BYTES = MAGIC.length + 4 + SALT_BYTES;

/** How long a sealed file's header is: magic, format, cost of the key, salt, proof of the passphrase. */
export const SEAL_HEADER_BYTES = PARAMETER_BYTES + PROOF_BYTES;

/** What a file is sealed with, and the header that lets the same passphrase find it again. */
export interface Seal {
  readonly header: Buffer;
  readonly key: Buffer;
}

/** Makes a key for a new file. No two files share one, since each has its own salt. */
export async function newSeal(passphrase: string, { logN, r, p }: KeyCost = COST): Promise<Seal> {
  const parameters = Buffer.concat([MAGIC, Buffer.from([FORMAT, logN, r, p]), randomBytes(SALT_BYTES)]);
  const { key, proof } = await derive(passphrase, parameters);
  return { header: Buffer.concat([parameters, proof]), key };
}

/** Finds the key of a file by its header. A wrong passphrase shows here, before anything else is read. */
export async function findKey(header: Buffer, passphrase: string): Promise<Buffer> {
  requireFormat(header);
  const { key, proof } = await derive(passphrase, header.subarray(0, PARAMETER_BYTES));
  if (timingSafeEqual(proof, header.subarray(PARAMETER_BYTES))) return key;
  throw new OperatorError(
    'PASSPHRASE_WRONG',
    'Cannot open the backup: the passphrase is not the one it was made with',
    {
      hint: 'Give the right one by "--passphrase-file FILE" or in KEADM_PASSPHRASE.',
    },
  );
}

/** Whether a file that begins like this is sealed. */
export function isSealed(beginning: Uint8Array): boolean {
  return MAGIC.equals(beginning.subarray(0, MAGIC.length));
}

function requireFormat(header: Buffer): void {
  if (header.length < SEAL_HEADER_BYTES) throw invalidBackup('is truncated');
  if (!isSealed(header)) throw invalidBackup('is not a keadm archive');
  const [format, logN = 0, r = 0, p = 0] = header.subarray(MAGIC.length);
  const acceptable = logN >= 1 && logN <= HIGHEST_LOG_N && r === COST.r && p >= 1 && p <= COST.p;
  if (format !== FORMAT || !acceptable)
    throw invalidBackup('is encrypted with a method that this version of keadm does not support');
}

async function derive(passphrase: string, parameters: Buffer): Promise<{ key: Buffer; proof: Buffer }> {
  const [logN = 0, r = 0, p = 0] = parameters.subarray(MAGIC.length + 1);
  const N = 2 ** logN;
  const salt = parameters.subarray(-SALT_BYTES);
  // Composed characters look the same on every keyboard but are not the same bytes.
  const secret = passphrase.normalize('NFC');
  const bytes = await stretch(secret, salt, { N, r, p, maxmem: 256 * N * r });
  return { key: bytes.subarray(0, 32), proof: createHmac('sha256', bytes.subarray(32)).update(parameters).digest() };
}

async function stretch(
  secret: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number; maxmem: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 64, cost, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}

/** Under which name a run knows the passphrase of a backup. */
export const PASSPHRASE = 'passphrase';

/** The passphrase a run began with. */
export function passphraseIn(secrets: Secrets): string {
  const passphrase = secrets.get(PASSPHRASE);
  if (passphrase !== undefined) return passphrase;
  throw new OperatorError('PASSPHRASE_WRONG', 'Cannot encrypt the backup without a passphrase', {
    hint: 'Give it by "--passphrase-file FILE" or in KEADM_PASSPHRASE.',
  });
}
