import * as z from 'zod/mini';
import { parseQuantity } from '../objects/quantity.ts';

const MAX_INT32 = 2_147_483_647;

/** A text of any form. */
export const text = z.string();

/** A switch. */
export const flag = z.boolean();

/** A whole number as the files' int32 fields hold it. */
export const int32 = z.int32();

/** A whole number that counts something, so it is not negative. */
export const count = z.int().check(z.minimum(0), z.maximum(MAX_INT32));

/** A whole number of at least one: an interval or a limit that zero would break. */
export const positive = z.int().check(z.minimum(1), z.maximum(MAX_INT32));

/** Hundredths. */
export const percent = z.int().check(z.minimum(0), z.maximum(100));

/** A TCP or UDP port. */
export const port = z.int().check(z.minimum(1), z.maximum(65_535));

/** A TCP port, or 0 for none. */
export const portOrNone = z.int().check(z.minimum(0), z.maximum(65_535));

/** A span of time as Go writes it: `1m0s`, `100ms`, `0s`. */
export const duration = z
  .string()
  .check(
    z.regex(
      /^([-+]?(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$|^0$/,
      'must be a span of time such as "10s", "1m30s" or "100ms"',
    ),
  );

/** The size of a log in bytes, such as `10Mi`: any amount as Kubernetes writes it; zero and less for no limit. */
export const logSize = z
  .string()
  .check(
    z.regex(
      /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+|[numkMGTPE]|[KMGTPE]i)?$/,
      'must be a size such as "10Mi" or "500k"',
    ),
  );

/** The bytes of a size of a log that the schema accepted; infinite for no limit. */
export function logSizeBytes(size: string): number {
  const bytes = parseQuantity(size.replace('+', '')) ?? 0;
  return bytes > 0 ? bytes : Infinity;
}

const HOST_PORT = { error: 'must be a host and a port such as "192.0.2.1:10000"', abort: true };
const HTTPS_URL = { error: 'must be an address such as "https://192.0.2.1:10002"', abort: true };

/** A host, or an IPv6 address in brackets, and a port. The pattern accepts "256.1.1.1" and port 99999; the URL parser does not. */
export const hostPort = z.string().check(
  z.regex(/^(\[[0-9a-fA-F:.%]+\]|[^\s:/?#@\\[\]]+):\d{1,5}$/, HOST_PORT),
  z.refine((address) => URL.canParse(`https://${address}`), HOST_PORT),
);

/** The address of an HTTPS server. */
export const httpsUrl = z.string().check(
  z.regex(/^https:\/\/[^\s/?#@\\]+\/?$/, HTTPS_URL),
  z.refine((address) => URL.canParse(address), HTTPS_URL),
);

/** A Kubernetes node's name; empty stands for the machine's own name in lower case. */
export const nodeName = z
  .string()
  .check(
    z.maxLength(253, 'must have at most 253 characters'),
    z.regex(
      /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$/,
      'must be a node name: lower-case letters, digits, "-" and ".", with a letter or digit at both ends',
    ),
  );

/** The name of a label or a taint: `zone`, `example.com/zone`. */
export const labelName = z
  .string()
  .check(
    z.regex(
      /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
      'is not a label name',
    ),
  );

/** The value of a label or a taint. */
export const labelValue = z
  .string()
  .check(
    z.regex(
      /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/,
      'must be a label value: at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ),
  );

/** Labels of a Kubernetes object. */
export const labels = z.record(labelName, labelValue);

/** Names with a text each. */
export const texts = z.record(z.string(), z.string());

/** Names with a switch each. */
export const switches = z.record(z.string(), z.boolean());

/** A list of texts. */
export const textList = z.array(z.string());

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** The milliseconds of a span of time that the schema accepted, such as `1m30s`. */
export function durationMilliseconds(span: string): number {
  const parts = [...span.matchAll(/([-+]?)([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, sign, amount, unit]) => {
    const milliseconds = Number(amount) * (MILLISECONDS[unit ?? ''] ?? 0);
    return sum + (sign === '-' ? -milliseconds : milliseconds);
  }, 0);
}
