import { powershellText, windowsCommandLine } from '@fenestra/platform';

/** The languages a script can be written in. */
export type ScriptShell = 'powershell' | 'sh';

/** The shells, in the order of the help. */
export const SCRIPT_SHELLS: readonly ScriptShell[] = ['powershell', 'sh'];

/** What a script does: it gets keadm from somewhere, makes sure that it is the right one, and runs it. */
export interface ScriptRequest {
  /** A URL, or a path on the machine that runs the script. */
  readonly source: string;
  /** Of keadm, in lower-case hex. */
  readonly sha256: string;
  readonly words: readonly string[];
}

/** A script that needs nothing but keadm; it stops at the first error, passes on keadm's exit code and can be run again. */
export function prepareScript(shell: ScriptShell, request: ScriptRequest): string {
  return shell === 'powershell' ? powershellScript(request) : posixScript(request);
}

/** For any POSIX shell; needs curl or wget only where keadm comes from a URL. */
export function posixScript({ source, sha256, words }: ScriptRequest): string {
  return String.raw`#!/bin/sh
# Makes this machine ready to be a Kubernetes worker: gets keadm, verifies it and runs it.
# Run it as root. It can be run again.
set -eu

source=${posixText(source)}
sha256='${sha256}'
set -- ${words.map(posixText).join(' ')}

fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
program=$folder/keadm

case $source in
http://* | https://*)
  if command -v curl >/dev/null; then
    curl -fsSL -o "$program" -- "$source" || fail "cannot download $source"
  elif command -v wget >/dev/null; then
    wget -q -O "$program" -- "$source" || fail "cannot download $source"
  else
    fail "cannot download $source: there is neither curl nor wget"
  fi
  ;;
*)
  cp -- "$source" "$program" || fail "cannot copy $source"
  ;;
esac
found=$(sha256sum <"$program" | cut -d ' ' -f 1)
[ "$found" = "$sha256" ] || fail "$source is not the keadm that this script was made for: its SHA-256 is $found"

chmod 700 "$program"
code=0
"$program" "$@" || code=$?
exit "$code"
`;
}

function posixText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * For Windows PowerShell 5.1 and later, and for its ISE: that has no console for a program to write on, and takes every
 * line a program writes to its standard error for a failure. So the script reads both and says them itself. It is plain
 * ASCII, because 5.1 reads a file without a mark in the code page of the machine.
 */
export function powershellScript({ source, sha256, words }: ScriptRequest): string {
  return String.raw`# Makes this machine ready to be a Kubernetes worker: gets keadm, verifies it and runs it.
# Run it as an administrator. It can be run again.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$source = ${powershellText(source)}
$sha256 = '${sha256}'
$arguments = ${powershellText(windowsCommandLine(words))}

$code = 1
# Only administrators can put anything there, so nothing can get beside the program that it would load.
$folder = Join-Path $env:ProgramFiles "keadm-$([Guid]::NewGuid())"
try {
    $user = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
    if (-not $user.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
        throw 'This script needs an administrator: start PowerShell with "Run as administrator"'
    }

    New-Item -ItemType Directory -Path $folder | Out-Null
    $program = Join-Path $folder 'keadm.exe'
    if ($source -match '^https?://') {
        $protocols = [Net.ServicePointManager]::SecurityProtocol
        [Net.ServicePointManager]::SecurityProtocol = $protocols -bor [Net.SecurityProtocolType]::Tls12
        Invoke-WebRequest -UseBasicParsing -Uri $source -OutFile $program
    } else {
        Copy-Item -LiteralPath $source -Destination $program
    }
    $found = (Get-FileHash -LiteralPath $program -Algorithm SHA256).Hash
    if ($found -ne $sha256) { throw "$source is not the keadm that this script was made for: its SHA-256 is $found" }

    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = $program
    $start.Arguments = $arguments
    $start.UseShellExecute = $false
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $start.StandardOutputEncoding = [Text.Encoding]::UTF8
    $start.StandardErrorEncoding = [Text.Encoding]::UTF8
    $process = [Diagnostics.Process]::Start($start)
    $result = $process.StandardOutput.ReadToEndAsync()
    while ($null -ne ($line = $process.StandardError.ReadLine())) { Write-Host $line }
    $process.WaitForExit()
    Write-Output $result.Result.TrimEnd()
    $code = $process.ExitCode
} catch {
    Write-Host "Error: $($_.Exception.Message)"
} finally {
    Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction SilentlyContinue
}
exit $code
`;
}
