import { win32 } from 'node:path';
import { OperatorError } from '@fenestra/kernel';

/** The properties of an installer with which the machine joins, and the flag of `keadm join` that each becomes. */
export const JOIN_PROPERTIES: Readonly<Record<string, string>> = {
  CLOUDCORE_IP: '--cloudcore-ip',
  HUB_PORT: '--hub-port',
  CERT_PORT: '--certport',
  NODE_NAME: '--edgenode-name',
  LABELS: '--labels',
  CONFIG_FILE: '--config',
  TOKEN_FILE: '--token-file',
  SKIP_CHECK: '--skip-check',
};

/** The property of an uninstaller: to take the node off the machine, too. */
export const RESET_PROPERTY = 'RESET_NODE';

/** The name by which no one can give a token: command lines are logged, and process lists show them. */
export const TOKEN_PROPERTY = 'TOKEN';

/** The given properties of an installer, by name; never empty. */
export type Properties = ReadonlyMap<string, string>;

const FILES = ['CONFIG_FILE', 'TOKEN_FILE'];
const SWITCHES = ['/S', '/NCRC'];

/** Reads `NAME=value` words, with a slash in front if a setup program was given them; an empty value is as good as none. */
export function readProperties(words: readonly string[], known: readonly string[]): Properties {
  const reported = words.flatMap((word, index) => (SWITCHES.includes(word) ? [] : [readWord(word, index, known)]));
  const properties = new Map(reported.filter(([, value]) => value !== ''));
  for (const name of FILES) requireWholePath(name, properties.get(name));
  return properties;
}

function readWord(word: string, index: number, known: readonly string[]): readonly [string, string] {
  const [, name = '', value = ''] = /^\/?([a-z_]+)=(.*)$/is.exec(word) ?? [];
  const found = known.find((each) => each === name.toUpperCase());
  if (found === undefined) throw unknownProperty(name, index, known);
  return [found, value];
}

/** Without the value, and without a word that may be half of one: it may be secret. */
function unknownProperty(name: string, index: number, known: readonly string[]): OperatorError {
  const what = name === '' ? `argument ${index + 1} is not NAME=value` : `there is no property "${name}"`;
  const hint =
    name.toUpperCase() === TOKEN_PROPERTY
      ? 'Put the token into a file and give it with TOKEN_FILE: other users can read command lines.'
      : `Give only these, and put values with spaces in double quotes: ${known.join(', ')}.`;
  return new OperatorError('USAGE', `Cannot use the properties of the installer: ${what}`, { hint });
}

/** Installers run programs in folders of their own choice. */
function requireWholePath(name: string, path: string | undefined): void {
  if (path === undefined || win32.isAbsolute(path)) return;
  throw new OperatorError('USAGE', `Cannot use the properties of the installer: ${name} is not an absolute path`, {
    hint: 'Give the path with its drive and folder.',
  });
}
