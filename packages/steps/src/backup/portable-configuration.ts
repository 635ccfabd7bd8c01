import { OperatorError } from '@fenestra/kernel';
import { parse, parseDocument, visit, type Document } from 'yaml';
import * as z from 'zod/mini';

const TOKEN = ['modules', 'edgeHub', 'token'];
const NODE_NAME = ['modules', 'edged', 'hostnameOverride'];

const WithToken = z.object({
  modules: z.object({ edgeHub: z.object({ token: z.string().check(z.minLength(1)) }) }),
});

/** A folder that is somewhere else now. */
export interface FolderMove {
  readonly from: string;
  readonly to: string;
}

/**
 * The configuration as a backup holds it: without the join token, and with the node's name in it, which may have been
 * the name of the machine. Comments stay.
 */
export function portableConfiguration(text: string, nodeName: string): string {
  const document = parseDocument(text, { logLevel: 'silent' });
  const token = document.getIn(TOKEN);
  const hasToken = typeof token === 'string' && token !== '';
  if (hasToken) document.deleteIn(TOKEN);
  const named = nameIn(document) !== undefined;
  if (!named) document.setIn(NODE_NAME, nodeName);
  const portable = named && !hasToken ? text : textOf(document);
  if (holdsToken(portable) || (hasToken && portable.includes(token))) throw tokenStays();
  return portable;
}

/** The configuration of a node whose folders have moved: every path in it that lies in one of them follows. */
export function relocateConfiguration(text: string, moves: readonly FolderMove[]): string {
  if (moves.every(({ from, to }) => from === to)) return text;
  const document = parseDocument(text, { logLevel: 'silent' });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string') node.value = movedPath(node.value, moves);
    },
  });
  return textOf(document);
}

function nameIn(document: Document): string | undefined {
  const name = document.getIn(NODE_NAME);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Looks at what a program would read, where an alias counts as what it stands for. */
function holdsToken(text: string): boolean {
  return WithToken.safeParse(parse(text, { logLevel: 'silent' })).success;
}

function movedPath(path: string, moves: readonly FolderMove[]): string {
  const move = moves.find(
    ({ from }) => path === from || (path.startsWith(from) && /^[/\\]/.test(path.slice(from.length))),
  );
  return move === undefined ? path : `${move.to}${path.slice(move.from.length)}`;
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 });
}

function tokenStays(): OperatorError {
  return new OperatorError('BACKUP_INVALID', 'Cannot take the join token out of the configuration', {
    hint: 'Delete the token from the configuration file: a joined node does not need it.',
  });
}
