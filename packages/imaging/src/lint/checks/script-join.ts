import { lineOfOffset, type PlacedText } from '../../cloudbase/placed-text.ts';
import type { Interpreter } from '../../cloudbase/script-kind.ts';
import { found, type Finding } from '../finding.ts';
import { hereStrings, type HereString } from './here-strings.ts';
import { checkJoinConfiguration, restartsKubelet } from './join-configuration.ts';
import { SENTINEL } from './sentinel.ts';

/** What joining means in a script that does it by itself. */
export function checkScriptJoin(script: PlacedText, interpreter: Interpreter): readonly Finding[] {
  if (interpreter === 'cmd') return checkSentinel(script);
  if (interpreter !== 'powershell' && interpreter !== 'powershell-x86') return [];
  const configurations = hereStrings(script.text).flatMap((each) => checkHereString(each, script));
  return [...configurations, ...checkSentinel(script)];
}

function checkHereString({ text, offset }: HereString, script: PlacedText): readonly Finding[] {
  return checkJoinConfiguration(text, {
    placeOf: (word) => placeOf(script, offset + Math.max(0, text.indexOf(word))),
    restartsKubelet: restartsKubelet(script.text),
  });
}

/** A line that runs it; one that only speaks of it begins otherwise. */
const JOIN = /^(?![\t ]*(?:#|::|@?rem\b|@?echo\b|Write-\w+))[^\r\n]*\bkubeadm(?:\.exe)?["']?[\t ]+join\b/im;

function checkSentinel(script: PlacedText): readonly Finding[] {
  const at = script.text.search(JOIN);
  if (at === -1 || script.text.includes(SENTINEL)) return [];
  return [found('sentinel-missing', placeOf(script, at), `nothing writes "${SENTINEL}"`)];
}

function placeOf({ text, lineAt }: PlacedText, offset: number): { readonly line: number } {
  return { line: lineAt(lineOfOffset(text, offset)) };
}
