import type { Json } from '@fenestra/kernel';
import * as z from 'zod/mini';

/** Text that may be absent. */
export const text = z.exactOptional(z.string());

/**
 * A name that becomes a part of paths on the node. The API server checks most of them, but a node does not depend on
 * that: a name with slashes or dots would lead out of its folder.
 */
export const pathName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][-A-Za-z0-9.]*$/, { error: 'is not a name of letters, digits, "-" and "."' }));

/** A whole number that may be absent. */
export const integer = z.exactOptional(z.int());

/** A condition that may be absent. */
export const flag = z.exactOptional(z.boolean());

/** A list of texts that may be absent. */
export const texts = z.exactOptional(z.array(z.string()));

/** Texts by name, which may be absent. */
export const textMap = z.exactOptional(z.record(z.string(), z.string()));

/** An amount such as `500m`. YAML writes some of them as numbers. */
export const Quantity = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((value) => String(value)),
);

/** Amounts by the name of a resource. */
export const quantities = z.exactOptional(z.record(z.string(), Quantity));

/** Any JSON, unchecked: it came out of a JSON parser. */
export const anyJson = z.custom<Json | undefined>((value) => value !== undefined);
