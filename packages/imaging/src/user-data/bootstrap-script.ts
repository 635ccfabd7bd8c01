import { powershellBytes, powershellText, windowsCommandLine } from '@fenestra/platform';
import { type JoinAct, TOKEN_MARK, type UserDataFile, type UserDataRequest } from './request.ts';
import { commandStep, SCRIPT_BASE, SCRIPT_END, step } from './script-base.ts';
import { storeFunctions } from './secret-store.ts';

/** How the script comes to know a token that stands in the user-data. */
export type TokenDelivery = 'script' | 'variable';

/** The variable of the environment that a token is handed over in. */
export const TOKEN_VARIABLE = 'NODE_TOKEN';

/** The script that does all of it, for Windows PowerShell 5.1: plain ASCII, so that no code page spoils it. */
export function bootstrapScript(request: UserDataRequest, delivery: TokenDelivery): string {
  const steps = [
    ...request.files.map((file, index) => fileStep(file, index)),
    ...request.commandsBefore.map(({ text }, index) => commandStep('before', text, index)),
    joinStep(request.join),
    secretStep(request),
    ...request.commandsAfter.map(({ text }, index) => commandStep('after', text, index)),
  ];
  return `${SCRIPT_BASE}
${tokenFunctions(request, delivery)}
if (Test-Path -LiteralPath $sentinel) { exit 0 }
$code = 0
$remark = ''
try {
    Protect-Folder $work
    Protect-Folder $private
${steps.join('')}${SCRIPT_END}`;
}

function tokenFunctions({ token, join }: UserDataRequest, delivery: TokenDelivery): string {
  const form = join.kind === 'worker' ? '^[a-z0-9]{6}\\.[a-z0-9]{16}$' : '^[!-~]+$';
  return `${token.kind === 'store' ? storeFunctions(token.store) : inlineToken(token.token, delivery)}
function Get-Token {
    $value = ([string](Get-Secret)).Trim()
    if ($value -cnotmatch '${form}') { throw 'the secret does not contain a token' }
    $value
}
`;
}

function inlineToken(token: string, delivery: TokenDelivery): string {
  if (delivery === 'script') return `function Get-Secret { ${powershellText(token)} }\n`;
  return `$handedOver = $env:${TOKEN_VARIABLE}
$env:${TOKEN_VARIABLE} = $null

function Get-Secret { $handedOver }
`;
}

function fileStep({ path, content, append, isProtected }: UserDataFile, index: number): string {
  return step(
    `file-${index + 1}`,
    `Write-Bytes (${powershellText(windowsPath(path))}) (${powershellBytes(content)}) '${writingKind(append, isProtected)}'`,
  );
}

/** What is appended to a file that is there leaves its rights alone; a new one has them from the beginning. */
function writingKind(append: boolean, isProtected: boolean): string {
  if (append) return isProtected ? 'append-protected' : 'append';
  return isProtected ? 'protected' : 'open';
}

/** Paths of Cluster API have no drive, and mean the one of the system. */
function windowsPath(path: string): string {
  const backslashed = path.replaceAll('/', '\\');
  return backslashed.startsWith('\\') ? `C:${backslashed}` : backslashed;
}

function joinStep(join: JoinAct): string {
  return join.kind === 'worker' ? workerStep(join) : edgeStep(join.words);
}

function workerStep({ configuration, program, verbosity }: Extract<JoinAct, { kind: 'worker' }>): string {
  const words = [
    ...(program === 'keadm' ? ['kube', 'join'] : ['join']),
    ...(program === 'kubeadm' && verbosity !== undefined ? ['--v', String(verbosity)] : []),
  ];
  return step(
    'join',
    `$configuration = ${powershellText(configuration)}`,
    `$configuration = $configuration.Replace('${TOKEN_MARK}', (Get-Token))`,
    "$file = Join-Path $private 'join.yaml'",
    "Write-Text $file $configuration 'protected'",
    '$configuration = $null',
    `Invoke-Program '${program}.exe' (${powershellText(windowsCommandLine(words))} + " --config ""$file""")`,
    'Remove-Item -LiteralPath $file -Force',
  );
}

function edgeStep(words: readonly string[]): string {
  return step(
    'join',
    "$file = Join-Path $private 'token'",
    "Write-Text $file (Get-Token) 'protected'",
    `Invoke-Program 'keadm.exe' (${powershellText(windowsCommandLine(['join', ...words]))} + " --token-file ""$file""")`,
    'Remove-Item -LiteralPath $file -Force',
  );
}

/** Only when the node is there, since a join that failed may be tried again; a secret that stays does not undo the join. */
function secretStep({ token }: UserDataRequest): string {
  if (token.kind === 'inline' || token.store.keep) return '';
  return step(
    'remove-secret',
    'try { Remove-Secret } catch { $script:remark = "The token is still in its store: $($_.Exception.Message)" }',
  );
}
