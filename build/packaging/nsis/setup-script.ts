import { JOIN_PROPERTIES, joinArguments, RESET_PROPERTY } from '../join-properties.ts';
import { numericVersion } from '../numeric-version.ts';

/** What the script is about. */
export interface SetupScript {
  readonly version: string;
  readonly quick: boolean;
  /** The program's name beside the script. */
  readonly executable: string;
  readonly output: string;
  /** A command that signs the uninstaller, in which `%1` is its file. */
  readonly signCommand: string | undefined;
}

const REPORT = '$WINDIR\\Temp\\fenestra-installer.log';
const UNINSTALL_KEY = 'Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Fenestra';
/** NSIS cuts longer strings without a word. */
const LONGEST_STRING = 1023;
const USAGE = 2;
const FILE_IN_USE = 24;

/**
 * The script that makensis makes the installer from. Whatever changes the machine but for the files themselves is done by
 * the program. The stub is a 64-bit one, because Windows need not be able to run any other.
 */
export function setupScript(script: SetupScript): string {
  return [head(script), install(script), failure(), uninstall()].join('\n');
}

function head({ version, quick, output, signCommand }: SetupScript): string {
  return `\
Unicode true
Target amd64-unicode
!include "LogicLib.nsh"
!include "FileFunc.nsh"
${quick ? 'SetCompressor zlib' : 'SetCompressor /SOLID lzma\nSetCompressorDictSize 32'}
Name "Fenestra ${version}"
OutFile "${output}"
InstallDir "$PROGRAMFILES64\\Fenestra"
RequestExecutionLevel admin
ShowInstDetails show
ShowUninstDetails show
VIProductVersion "${numericVersion(version)}.0"
VIAddVersionKey "ProductName" "Fenestra"
VIAddVersionKey "ProductVersion" "${version}"
VIAddVersionKey "FileVersion" "${version}"
VIAddVersionKey "FileDescription" "Fenestra Setup"
VIAddVersionKey "LegalCopyright" "Apache-2.0"
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles
${signCommand === undefined ? '' : `!uninstfinalize '${signCommand}'\n`}
Var Command
Var Value
Var Placed
${Object.keys(JOIN_PROPERTIES)
  .map((name) => `Var ${name}`)
  .join('\n')}
`;
}

function install({ version, executable }: SetupScript): string {
  return `\
Section
  SetRegView 64
  SetShellVarContext all
  SetOutPath "$INSTDIR"
  ; A program that somebody runs can be put aside, but not written to.
  Delete "$INSTDIR\\keadm.previous.exe"
  ClearErrors
  \${If} \${FileExists} "$INSTDIR\\keadm.exe"
    Rename "$INSTDIR\\keadm.exe" "$INSTDIR\\keadm.previous.exe"
  \${EndIf}
  \${IfNot} \${Errors}
    File "/oname=keadm.exe" "${executable}"
  \${EndIf}
  \${If} \${Errors}
    StrCpy $0 ${FILE_IN_USE}
    Call PutBack
  \${EndIf}
  StrCpy $Placed yes

${Object.keys(JOIN_PROPERTIES).map(readProperty).join('\n')}
  StrCpy $Command '"$INSTDIR\\keadm.exe" installer placed --report "${REPORT}" ${joinArguments((name) => `$${name}`)}'
  StrLen $0 $Command
  \${If} $0 >= ${LONGEST_STRING}
    DetailPrint "The properties are too long together: put them into a file, and name that in CONFIG_FILE."
    StrCpy $0 ${USAGE}
    Call PutBack
  \${EndIf}
  ; Not ExecWait: a program that a window starts may find no standard output that it can write to.
  nsExec::ExecToLog '$Command'
  Pop $0
  \${If} $0 != 0
    Call PutBack
  \${EndIf}
  Delete /REBOOTOK "$INSTDIR\\keadm.previous.exe"

  WriteUninstaller "$INSTDIR\\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayName" "Fenestra"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayVersion" "${version}"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "Publisher" "Fenestra"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\\keadm.exe"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoRepair" 1
SectionEnd
`;
}

function readProperty(name: string): string {
  return `  \${GetParameters} $Value\n  \${GetOptions} $Value "/${name}=" $${name}`;
}

/** The machine is as it was before, and the exit code is the program's own. */
function failure(): string {
  return `\
Function PutBack
  \${If} \${FileExists} "$INSTDIR\\keadm.previous.exe"
    Delete "$INSTDIR\\keadm.exe"
    Rename "$INSTDIR\\keadm.previous.exe" "$INSTDIR\\keadm.exe"
  \${ElseIf} $Placed == yes
    Delete "$INSTDIR\\keadm.exe"
    RMDir /r "$INSTDIR\\native"
    RMDir "$INSTDIR"
  \${EndIf}
  SetErrorLevel $0
  DetailPrint "Fenestra was not installed; the reason is in ${REPORT}."
  Abort
FunctionEnd
`;
}

function uninstall(): string {
  return `\
Section "Uninstall"
  SetRegView 64
  SetShellVarContext all
  \${GetParameters} $Value
  \${GetOptions} $Value "/${RESET_PROPERTY}=" $Command
  nsExec::ExecToLog '"$INSTDIR\\keadm.exe" installer leaving --report "${REPORT}" --reset-node "$Command"'
  Pop $0
  \${If} $0 != 0
    SetErrorLevel $0
    DetailPrint "Fenestra was not uninstalled; the reason is in ${REPORT}."
    Abort
  \${EndIf}
  Delete "$INSTDIR\\keadm.exe"
  Delete "$INSTDIR\\uninstall.exe"
  ; An agent that goes on running without keadm holds on to its part of it.
  RMDir /r "$INSTDIR\\native"
  RMDir "$INSTDIR"
  DeleteRegKey HKLM "${UNINSTALL_KEY}"
SectionEnd
`;
}
