import { windowsCommandLine, type ServiceAction } from '@fenestra/platform';

/** The program is always quoted: an unquoted path with a space lets Windows run another program that is found first. */
export function quoteCommandLine(executable: string, args: readonly string[]): string {
  return args.length === 0 ? `"${executable}"` : `"${executable}" ${windowsCommandLine(args)}`;
}

/** Reads a command line as CommandLineToArgvW does: the program's path has separate rules. */
export function parseCommandLine(commandLine: string): { readonly executable: string; readonly args: string[] } {
  const [, quoted, plain, rest = ''] = /^(?:"([^"]*)"?|(\S*))(.*)$/s.exec(commandLine) ?? [];
  return { executable: quoted ?? plain ?? '', args: parseArguments(rest) };
}

function parseArguments(text: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let quoted = false;
  // Runs of backslashes with the quotes after them, blanks, and everything else, in turn.
  for (const [token] of text.matchAll(/\\+"?|"|[ \t]+|[^\\" \t]+/g)) {
    if (/^[ \t]/.test(token) && !quoted) {
      if (current !== undefined) args.push(current);
      current = undefined;
      continue;
    }
    const { literal, togglesQuote } = readToken(token);
    current = (current ?? '') + literal;
    if (togglesQuote) quoted = !quoted;
  }
  return current === undefined ? args : [...args, current];
}

/** 2n backslashes and a quote are n backslashes and a delimiter; 2n+1 are n backslashes and a quote of the text. */
function readToken(token: string): { literal: string; togglesQuote: boolean } {
  if (!token.endsWith('"')) return { literal: token, togglesQuote: false };
  const backslashes = token.length - 1;
  const literal = '\\'.repeat(Math.floor(backslashes / 2));
  return backslashes % 2 === 1 ? { literal: `${literal}"`, togglesQuote: false } : { literal, togglesQuote: true };
}

/** The command line with which an operator does this manually. */
export function serviceCommand(action: ServiceAction, name: string): string {
  switch (action) {
    case 'start':
      return `sc.exe start ${name}`;
    case 'stop':
      return `sc.exe stop ${name}`;
    case 'status':
      return `sc.exe queryex ${name}`;
    case 'logs':
      return `wevtutil.exe qe Application /q:"*[System[Provider[@Name='${name}']]]" /f:text /rd:true /c:50`;
  }
}
