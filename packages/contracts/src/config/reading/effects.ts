import { isDeepStrictEqual } from 'node:util';
import { isMapping, joinPath, type Mapping, parentPath } from './schema-shape.ts';

/** A key that was given and understood, but does nothing here yet, or hardly what was meant; to be said once at start. */
export interface ConfigNote {
  /** Dotted, as in `modules.eventBus`. */
  readonly path: string;
  readonly reason: string;
}

/** Marks a field that does what it says. */
export const WORKS = Symbol('works');

/** Why a part of the file does nothing here yet, by its path; the longest path that fits counts. */
export type Effects = Readonly<Record<string, string | typeof WORKS>>;

/** What was said, what it means together with the defaults, and what it would mean without. */
interface Compared {
  readonly given: unknown;
  readonly config: unknown;
  readonly defaults: unknown;
}

/**
 * One note for each thing the file asks for that will not happen: a module it switches on, or a field it changes.
 * A field left at its default asks for nothing, and neither does one in a module that is off.
 */
export function effectNotes(effects: Effects, compared: Compared, path = ''): readonly ConfigNote[] {
  const { given, config, defaults } = compared;
  if (!isMapping(given) || !isMapping(config)) return leafNote(effects, compared, path);
  const switched = switchNote(effects, given, path);
  if (config['enable'] === false && effectOf(effects, path) !== WORKS) return switched;
  const below = Object.keys(given).filter((key) => key !== 'enable' || switched.length === 0);
  const parts = below.flatMap((key) =>
    effectNotes(
      effects,
      { given: given[key], config: config[key], defaults: isMapping(defaults) ? defaults[key] : undefined },
      joinPath(path, key),
    ),
  );
  return [...switched, ...parts];
}

function switchNote(effects: Effects, given: Mapping, path: string): readonly ConfigNote[] {
  const reason = effectOf(effects, joinPath(path, 'enable'));
  return given['enable'] === true && typeof reason === 'string' ? [{ path, reason }] : [];
}

function leafNote(effects: Effects, { given, defaults }: Compared, path: string): readonly ConfigNote[] {
  const reason = effectOf(effects, path);
  return typeof reason === 'string' && !isDeepStrictEqual(given, defaults) ? [{ path, reason }] : [];
}

/** What a field does: nothing known against it means that it works. */
export function effectOf(effects: Effects, path: string): string | typeof WORKS {
  if (path === '') return WORKS;
  return effects[path] ?? effectOf(effects, parentPath(path));
}
