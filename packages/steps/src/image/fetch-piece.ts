import { dirname } from 'node:path';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';
import {
  removeFile,
  fetchToDownloads,
  parseAddress,
  lookUpSize,
  hasDigest,
  digestMismatch,
  releaseInvalid,
  lookAt,
  PieceSignature,
  requireSigned,
} from '@fenestra/releases';
import { requireSpace } from '@fenestra/platform';

const PRIVATE_MODE = 0o600;

const FetchPiece = z.object({
  /** For people: `containerd 2.1.4`. */
  name: z.string(),
  /** An absolute path, or an HTTPS address without credentials. */
  location: z.string(),
  sha256: z.string(),
  signature: z.exactOptional(PieceSignature),
  to: z.string(),
  downloads: z.string(),
});
type FetchPiece = z.infer<typeof FetchPiece>;

/** Brings something from elsewhere to a waiting place, where it is only once its digest and signature have proved it. */
export const fetchPiece = defineStep({
  kind: 'fetch-piece',
  data: FetchPiece,
  describe: ({ name, location, signature }) =>
    `Fetch ${name} from "${location}" and check its digest${signature === undefined ? '' : ' and signature'}`,
  async apply(step, _before, context, signal) {
    const { to, sha256, signature } = step;
    const arrived = arrivalOf(to);
    if (!(await hasDigest(to, digestOf(sha256)))) {
      await bring(step, arrived, context, signal);
      await requireSigned(arrived, signature, signal);
      await context.ports.files.move(arrived, to);
    }
  },
  async revert({ to }, _before, { ports }, signal) {
    const arrived = arrivalOf(to);
    for (const path of [to, arrived, `${arrived}.partial`]) await ports.files.removeTree(path, dirname(to), signal);
  },
});

function arrivalOf(to: string): string {
  return `${to}.arrived`;
}

function digestOf(sha256: string): { algorithm: 'sha256'; hex: string } {
  return { algorithm: 'sha256', hex: sha256.toLowerCase() };
}

async function bring(
  { location, sha256, downloads }: FetchPiece,
  to: string,
  context: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  const { ports, progress } = context;
  const url = parseAddress(location);
  if (url === undefined) return copy(location, { to, sha256 }, context, signal);
  const variables = process.env;
  const size = await lookUpSize({ url, variables, httpsOnly: true }, signal);
  if (size === undefined) throw releaseInvalid(`find "${location}"`, 'Check the address.');
  const source = { digest: digestOf(sha256), size, signed: false, location };
  const fetched = await fetchToDownloads({ source, downloads, variables }, context, signal);
  try {
    await ports.files.move(fetched, to);
  } catch (cause) {
    // Files cannot be moved from one disk to another.
    if (!(cause instanceof OperatorError) || cause.code !== 'FILE_FAILED') throw cause;
    await ports.files.copy(fetched, to, { mode: PRIVATE_MODE, onProgress: progress }, signal);
    await removeFile(fetched);
  }
}

/** The digest that counts is that of the copy: the original may be anyone's to change in the meantime. */
async function copy(
  from: string,
  { to, sha256 }: { readonly to: string; readonly sha256: string },
  { ports, progress }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  await requireSpace(ports.host, dirname(to), (await lookAt(from)).size);
  const copied = await ports.files.copy(from, to, { mode: PRIVATE_MODE, onProgress: progress }, signal);
  if (copied.sha256 === sha256.toLowerCase()) return;
  await removeFile(to);
  throw digestMismatch(from, digestOf(sha256), copied.sha256);
}
