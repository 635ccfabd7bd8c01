import { win32 } from 'node:path';
import type { Koffi, Pointer, Native } from '../native.ts';

/** Files, processes and the last error. */
export interface Kernel32 {
  GetLastError(): number;
  LocalFree(memory: Pointer): Pointer | null;
  CloseHandle(handle: Pointer): number;
  MoveFileExW(from: string, to: string | null, flags: number): number;
  CreateFileW(
    name: string,
    access: number,
    share: number,
    security: null,
    disposition: number,
    flags: number,
    template: null,
  ): Pointer;
  FlushFileBuffers(file: Pointer): number;
  GetFileAttributesW(name: string): number;
  WaitNamedPipeW(name: string, timeoutMs: number): number;
  OpenProcess(access: number, inherit: 0, pid: number): Pointer | null;
  TerminateProcess(process: Pointer, exitCode: number): number;
  GetProcessTimes(process: Pointer, created: Buffer, exited: Buffer, kernel: Buffer, user: Buffer): number;
  WaitForSingleObject(handle: Pointer, timeoutMs: number): number;
  CreateJobObjectW(security: null, name: null): Pointer | null;
  AssignProcessToJobObject(job: Pointer, process: Pointer): number;
  TerminateJobObject(job: Pointer, exitCode: number): number;
  /** Both count in characters. */
  GetSystemDirectoryW(buffer: Buffer, size: number): number;
  AllocConsole(): number;
  /** Joins the console of another process; anyone who has one already is refused. */
  AttachConsole(pid: number): number;
  FreeConsole(): number;
  /** Group 0 is everybody on our console, ourselves included. */
  GenerateConsoleCtrlEvent(event: number, group: number): number;
}

/** Binds kernel32. */
export function bindKernel32(koffi: Koffi): Kernel32 {
  const library = koffi.load('kernel32.dll');
  return {
    GetLastError: library.func('uint32 GetLastError()'),
    LocalFree: library.func('void *LocalFree(void *memory)'),
    CloseHandle: library.func('int CloseHandle(void *handle)'),
    MoveFileExW: library.func('int MoveFileExW(str16 from, str16 to, uint32 flags)'),
    CreateFileW: library.func(
      'void *CreateFileW(str16 name, uint32 access, uint32 share, void *security, uint32 disposition, uint32 flags, void *template_)',
    ),
    FlushFileBuffers: library.func('int FlushFileBuffers(void *file)'),
    GetFileAttributesW: library.func('uint32 GetFileAttributesW(str16 name)'),
    WaitNamedPipeW: library.func('int WaitNamedPipeW(str16 name, uint32 timeout)'),
    OpenProcess: library.func('void *OpenProcess(uint32 access, int inherit, uint32 pid)'),
    TerminateProcess: library.func('int TerminateProcess(void *process, uint32 exitCode)'),
    GetProcessTimes: library.func(
      'int GetProcessTimes(void *process, void *created, void *exited, void *kernel, void *user)',
    ),
    WaitForSingleObject: library.func('uint32 WaitForSingleObject(void *handle, uint32 timeout)'),
    CreateJobObjectW: library.func('void *CreateJobObjectW(void *security, str16 name)'),
    AssignProcessToJobObject: library.func('int AssignProcessToJobObject(void *job, void *process)'),
    TerminateJobObject: library.func('int TerminateJobObject(void *job, uint32 exitCode)'),
    GetSystemDirectoryW: library.func('uint32 GetSystemDirectoryW(void *buffer, uint32 size)'),
    AllocConsole: library.func('int AllocConsole()'),
    AttachConsole: library.func('int AttachConsole(uint32 pid)'),
    FreeConsole: library.func('int FreeConsole()'),
    GenerateConsoleCtrlEvent: library.func('int GenerateConsoleCtrlEvent(uint32 event, uint32 group)'),
  };
}

const MAX_PATH = 260;

/** `C:\Windows\System32`, from the system itself: a variable of the environment may say anything. */
export function systemFolder(kernel32: Kernel32): string {
  const buffer = Buffer.alloc(MAX_PATH * 2);
  const length = kernel32.GetSystemDirectoryW(buffer, MAX_PATH);
  return buffer.toString('utf16le', 0, length * 2);
}

/** `C:`. */
export function systemDrive({ kernel32 }: Native): string {
  return driveOf(systemFolder(kernel32));
}

/** The drive of a whole path, as `C:`. */
export function driveOf(path: string): string {
  return win32.parse(path).root.slice(0, 2).toUpperCase();
}
