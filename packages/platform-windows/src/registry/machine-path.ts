import type { Native } from '../native.ts';
import { readValue, writeValues, REG, decodeText, encodeText } from './registry.ts';

const KEY = String.raw`SYSTEM\CurrentControlSet\Control\Session Manager\Environment`;
const BROADCAST = 0xffffn;
const SETTING_CHANGE = 0x1a;
const ABORT_IF_HUNG = 0x2;
const PATIENCE_MS = 5000;

/** The search path of the whole machine. Programs that run already keep theirs. */
export interface MachinePath {
  entries(): readonly string[];
  /** Says whether anything changed. */
  add(folder: string): boolean;
  /** Says whether anything changed. */
  remove(folder: string): boolean;
}

/** The machine's PATH in the registry; every change is announced to the programs that listen. */
export function machinePath(native: Native): MachinePath {
  const update = (change: (path: string) => string): boolean => {
    const { text, type } = read(native);
    const changed = change(text);
    if (changed === text) return false;
    writeValues(native, KEY, { Path: { type, bytes: encodeText(changed) } });
    announce(native);
    return true;
  };
  return {
    entries: () => splitPath(read(native).text),
    add: (folder) => update((path) => addEntry(path, folder)),
    remove: (folder) => update((path) => removeEntry(path, folder)),
  };
}

/** The type is kept: entries such as `%SystemRoot%` stand for something only in an expandable value. */
function read(native: Native): { text: string; type: number } {
  const value = readValue(native, KEY, 'Path');
  return value === undefined ? { text: '', type: REG.EXPAND_SZ } : { text: decodeText(value.bytes), type: value.type };
}

/** New programs get the path from the shell, which takes it up at this message; that no one listens is not a failure. */
function announce(native: Native): void {
  native.user32.SendMessageTimeoutW(BROADCAST, SETTING_CHANGE, null, 'Environment', ABORT_IF_HUNG, PATIENCE_MS, null);
}

/** The folders of a search path. */
export function splitPath(path: string): string[] {
  return path.split(';').filter((entry) => entry.trim() !== '');
}

/** The path with the folder at its end, or as it is if it holds the folder already in any spelling. */
export function addEntry(path: string, folder: string): string {
  if (splitPath(path).some((entry) => isSame(entry, folder))) return path;
  const separator = path === '' || path.endsWith(';') ? '' : ';';
  return `${path}${separator}${folder}`;
}

/** The path without the folder in any spelling; the rest keeps its spelling and order. */
export function removeEntry(path: string, folder: string): string {
  if (!splitPath(path).some((entry) => isSame(entry, folder))) return path;
  return path
    .split(';')
    .filter((entry) => !isSame(entry, folder))
    .join(';');
}

function isSame(left: string, right: string): boolean {
  return normalize(left) === normalize(right);
}

function normalize(entry: string): string {
  const plain = entry.trim().replaceAll('"', '').replaceAll('/', '\\').toLowerCase();
  return plain.replace(/(?<!^[a-z]:)\\+$/, '');
}
