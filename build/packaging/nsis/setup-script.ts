import { ERROR_CODES } from '@fenestra/kernel';
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
/** Where the program keeps its addon, wherever it is installed itself. */
const ADDON_FOLDER = '$PROGRAMFILES64\\Fenestra\\native';
/** NSIS cuts longer strings without a word. */
const LONGEST_STRING = 1023;

/**
 * The script that makensis makes the installer from. Whatever changes the machine but for the files themselves is done by
 * the program, which also reads the properties: NSIS would end a value at its first slash. The stub is a
 * 64-bit one, because Windows need not be able to run any other.
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
InstallDirRegKey HKLM "${UNINSTALL_KEY}" "InstallLocation"
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
${signCommand === undefined ? '' : `!uninstfinalize '${signCommand}' = 0\n`}
Var Command
Var Properties
Var Replaced
Var PutAside
Var Placed
`;
}

function install({ version, executable }: SetupScript): string {
  return `\
Section
  SetRegView 64
  SetShellVarContext all
  ReadRegStr $Replaced HKLM "${UNINSTALL_KEY}" "DisplayVersion"
  SetOutPath "$INSTDIR"
  ; A program that someone runs can be put aside, but not written to.
  Delete "$INSTDIR\\keadm.previous.exe"
  ClearErrors
  \${If} \${FileExists} "$INSTDIR\\keadm.exe"
    Rename "$INSTDIR\\keadm.exe" "$INSTDIR\\keadm.previous.exe"
    \${If} \${Errors}
      StrCpy $0 ${ERROR_CODES.FILE_IN_USE}
      Call Fail
    \${EndIf}
    StrCpy $PutAside yes
  \${EndIf}
  StrCpy $Placed yes
  File "/oname=keadm.exe" "${executable}"
  \${If} \${Errors}
    StrCpy $0 ${ERROR_CODES.FILE_FAILED}
    Call Fail
  \${EndIf}

  \${GetParameters} $Properties
  StrCpy $Command '"$INSTDIR\\keadm.exe" installer placed --report "${REPORT}" --replaces "$Replaced" -- $Properties'
  StrLen $0 $Command
  \${If} $0 >= ${LONGEST_STRING}
    DetailPrint "The properties are too long together: put them into a file, and name that in CONFIG_FILE."
    StrCpy $0 ${ERROR_CODES.USAGE}
    Call Fail
  \${EndIf}
${runProgram('Fail')}
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

/** Not by ExecWait: a program that a window starts may find no standard output that it can write to. */
function runProgram(onFailure: string): string {
  return `\
  nsExec::ExecToLog '$Command'
  Pop $0
  ; Then it could not even be started.
  \${If} $0 == "error"
    StrCpy $0 ${ERROR_CODES.COMMAND_FAILED}
  \${EndIf}
  \${If} $0 != 0
    Call ${onFailure}
  \${EndIf}`;
}

/** However it fails, the files are as they were before. The exit code is the program's own. */
function failure(): string {
  return `\
Function Fail
  SetErrorLevel $0
  DetailPrint "Fenestra was not installed; the reason is in ${REPORT}."
  Abort
FunctionEnd

Function .onInstFailed
  ; No one can take a folder away that a program works in.
  SetOutPath "$TEMP"
  \${If} $PutAside == yes
    Delete "$INSTDIR\\keadm.exe"
    Rename "$INSTDIR\\keadm.previous.exe" "$INSTDIR\\keadm.exe"
  \${ElseIf} $Placed == yes
    Delete "$INSTDIR\\keadm.exe"
${removeFolders()}
  \${EndIf}
FunctionEnd
`;
}

function uninstall(): string {
  return `\
Function un.Fail
  SetErrorLevel $0
  DetailPrint "Fenestra was not uninstalled; the reason is in ${REPORT}."
  Abort
FunctionEnd

Section "Uninstall"
  SetRegView 64
  SetShellVarContext all
  \${GetParameters} $Properties
  StrCpy $Command '"$INSTDIR\\keadm.exe" installer leaving --report "${REPORT}" -- $Properties'
${runProgram('un.Fail')}
  Delete /REBOOTOK "$INSTDIR\\keadm.exe"
  Delete "$INSTDIR\\keadm.previous.exe"
  Delete "$INSTDIR\\uninstall.exe"
  ; An agent that goes on running without keadm holds on to its part of it.
${removeFolders()}
  DeleteRegKey HKLM "${UNINSTALL_KEY}"
SectionEnd
`;
}

/** Those that are empty then. */
function removeFolders(): string {
  return `\
  RMDir /r "${ADDON_FOLDER}"
  RMDir "$PROGRAMFILES64\\Fenestra"
  RMDir "$INSTDIR"`;
}
