import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { Language, Parser, type Node } from 'web-tree-sitter';
import { z } from 'zod';

/** Run as a program: reads a list of scripts, and says for each the lines in which it is not PowerShell. */
const WASM = fileURLToPath(import.meta.resolve('tree-sitter-pwsh/tree-sitter-powershell.wasm'));

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(WASM));
const scripts = z.array(z.string()).parse(JSON.parse(await text(process.stdin)));
process.stdout.write(JSON.stringify(scripts.map(linesWithMistakes)));

function linesWithMistakes(script: string): readonly number[] {
  const tree = parser.parse(script);
  if (tree === null) throw new Error('the grammar gave no tree');
  return mistakes(tree.rootNode).map(({ row }) => row + 1);
}

function mistakes(node: Node): readonly { readonly row: number }[] {
  if (!node.hasError) return [];
  const inside = node.children.flatMap((child) => (child === null ? [] : mistakes(child)));
  return node.isError || node.isMissing || inside.length === 0 ? [node.startPosition, ...inside] : inside;
}
