import { powershellText } from '@fenestra/platform';

/** Where Cluster API looks for the word that all went well. */
export const SENTINEL = String.raw`C:\run\cluster-api\bootstrap-success.complete`;
/** Where the script writes down how far it has come. */
const STATUS_FILE = String.raw`C:\run\cluster-api\bootstrap-status.json`;

/** The beginning of every script: its places, and the functions its steps are made of. */
export const SCRIPT_BASE = String.raw`# Makes this machine a node, step by step, and stops at the first step that fails.
# It can be run again: steps that are done are skipped. Made by keadm capi userdata.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$sentinel = '${SENTINEL}'
$statusFile = '${STATUS_FILE}'
$work = 'C:\run\cluster-api\bootstrap'
$private = Join-Path $work 'private'
$ours = 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
$step = 'start'

function Protect-Folder([string]$path) {
    [IO.Directory]::CreateDirectory($path) | Out-Null
    $rights = New-Object Security.AccessControl.DirectorySecurity
    $rights.SetSecurityDescriptorSddlForm($ours, [Security.AccessControl.AccessControlSections]::Access)
    (Get-Item -LiteralPath $path).SetAccessControl($rights)
}

function New-Protected([string]$path) {
    # The permissions are set before the first byte is written.
    $rights = New-Object Security.AccessControl.FileSecurity
    $rights.SetSecurityDescriptorSddlForm('D:P(A;;FA;;;SY)(A;;FA;;;BA)', [Security.AccessControl.AccessControlSections]::Access)
    New-Object IO.FileStream($path, [IO.FileMode]::CreateNew, [Security.AccessControl.FileSystemRights]::Modify, [IO.FileShare]::None, 4096, [IO.FileOptions]::None, $rights)
}

function Write-Bytes([string]$path, [byte[]]$bytes, [string]$kind) {
    $parent = Split-Path -Parent $path
    if ($parent) { [IO.Directory]::CreateDirectory($parent) | Out-Null }
    $exists = Test-Path -LiteralPath $path
    if ($kind -eq 'append' -or ($kind -eq 'append-protected' -and $exists)) {
        $stream = New-Object IO.FileStream($path, [IO.FileMode]::Append)
    } elseif ($kind -eq 'protected' -or $kind -eq 'append-protected') {
        if ($exists) { Remove-Item -LiteralPath $path -Force }
        $stream = New-Protected $path
    } else {
        $stream = [IO.File]::Create($path)
    }
    try { $stream.Write($bytes, 0, $bytes.Length) } finally { $stream.Dispose() }
}

function Write-Text([string]$path, [string]$text, [string]$kind) {
    Write-Bytes $path ([Text.Encoding]::UTF8.GetBytes($text)) $kind
}

function Save-Status([string]$state, [string]$message) {
    $status = @{ state = $state; step = $step; message = $message; time = (Get-Date).ToUniversalTime().ToString('o') }
    Write-Text $statusFile (ConvertTo-Json $status) 'open'
}

function Invoke-Step([string]$name, [scriptblock]$action) {
    $script:step = $name
    $done = Join-Path $work "$name.done"
    if (Test-Path -LiteralPath $done) { return }
    Save-Status 'running' ''
    & $action
    Write-Text $done 'done' 'open'
}

function Restart-After([bool]$again) {
    if (-not $again) { Write-Text (Join-Path $work "$step.done") 'done' 'open' }
    Save-Status 'restarting' ''
    $script:code = 1003
    throw 'restart'
}

function Invoke-Program([string]$program, [string]$arguments) {
    $output = Join-Path $work "$step.log"
    $errors = Join-Path $work "$step.errors.log"
    $start = @{ FilePath = $program; NoNewWindow = $true; PassThru = $true; RedirectStandardOutput = $output; RedirectStandardError = $errors }
    if ($arguments) { $start.ArgumentList = $arguments }
    $process = Start-Process @start
    # Without its handle, the exit code is lost when the process ends.
    $null = $process.Handle
    $process.WaitForExit()
    $exit = $process.ExitCode
    if ($exit -eq 1001) { Restart-After $false }
    if ($exit -eq 1003) { Restart-After $true }
    if ($exit -ne 0) { throw "it exited with code $exit; its output is in $output and $errors" }
}

function Invoke-Command-Line([string]$command) {
    $file = Join-Path $private "$step.cmd"
    $lines = @('@echo off', 'chcp 65001 >nul') + ($command -split '\r?\n')
    Write-Text $file (($lines + '') -join [Environment]::NewLine) 'protected'
    Invoke-Program "$env:SystemRoot\System32\cmd.exe" "/d /c ""$file"""
}
`;

/** What went wrong is written down, and secrets are gone whatever happened. */
const AFTERWARDS = String.raw`} catch {
    if ($code -ne 1003) {
        $code = 1
        Save-Status 'failed' $_.Exception.Message
        Write-Output "Step $step failed: $($_.Exception.Message)"
    }
} finally {
    if (Test-Path -LiteralPath $private) { Remove-Item -LiteralPath $private -Recurse -Force -ErrorAction SilentlyContinue }
}
exit $code
`;

/** The end of a script that joins: only then does the word of success appear. */
export const SCRIPT_END = String.raw`    $step = 'end'
    Write-Text $sentinel 'success' 'open'
    Save-Status 'succeeded' $remark
${AFTERWARDS}`;

/** The end of a script that only runs commands around a join. */
const COMMANDS_END = AFTERWARDS;

/** PowerShell: a step that is done once, whatever happens to the machine in between. */
export function step(name: string, ...lines: readonly string[]): string {
  return `    Invoke-Step '${name}' {\n${lines.map((line) => `        ${line}\n`).join('')}    }\n`;
}

/** A command for cmd.exe as a step. */
export function commandStep(when: 'before' | 'after', command: string, index: number): string {
  return step(`${when}-${index + 1}`, `Invoke-Command-Line (${powershellText(command)})`);
}

/** A script that only runs commands; it ends with the first that fails, and says so by its exit code. */
export function commandsScript(
  when: 'before' | 'after',
  commands: readonly string[],
  first: readonly string[],
): string {
  const steps = [
    ...first.map((line, index) => step(`${when}-setting-${index + 1}`, line)),
    ...commands.map((command, index) => commandStep(when, command, index)),
  ];
  return `${SCRIPT_BASE}
$code = 0
try {
    Protect-Folder $work
    Protect-Folder $private
${steps.join('')}${COMMANDS_END}`;
}
