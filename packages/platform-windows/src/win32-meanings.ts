import type { ErrorCode } from '@fenestra/kernel';

/** What a Win32 error means to an operator. */
export interface Win32Meaning {
  readonly code: ErrorCode;
  readonly meaning: string;
  readonly hint: string;
}

const AGAIN = 'then run the command again.';
const AS_ADMINISTRATOR = 'Run the command from an elevated prompt ("Run as administrator").';
const FREE_SPACE = `Free some space on this disk, ${AGAIN}`;
const CLOSE_USER = `Close the program that uses the file, ${AGAIN}`;
const CHECK_PATH = 'Check that the path exists and is spelled right.';
const CLOSE_CONSOLES = `Close every program that shows services, such as services.msc and Task Manager, ${AGAIN}`;
const SEE_EVENTS = 'Read the System and Application event logs for what the service reported.';
const REPORT = 'Report this with the output of "keadm doctor": the program passed an invalid parameter.';

/** The Win32 errors an operator can meet, by number. The numbers are those of winerror.h. */
export const WIN32_MEANINGS: Readonly<Record<number, Win32Meaning>> = {
  2: { code: 'PATH_NOT_FOUND', meaning: 'the file does not exist', hint: CHECK_PATH },
  3: { code: 'PATH_NOT_FOUND', meaning: 'the folder does not exist', hint: CHECK_PATH },
  5: { code: 'ACCESS_DENIED', meaning: 'access is denied', hint: AS_ADMINISTRATOR },
  19: { code: 'READ_ONLY', meaning: 'the disk is write-protected', hint: `Make the disk writable, ${AGAIN}` },
  32: { code: 'FILE_IN_USE', meaning: 'another program has the file open', hint: CLOSE_USER },
  33: { code: 'FILE_IN_USE', meaning: 'another program has locked the file', hint: CLOSE_USER },
  39: { code: 'DISK_FULL', meaning: 'the disk is full', hint: FREE_SPACE },
  50: {
    code: 'NOT_SUPPORTED',
    meaning: 'this system does not support it',
    hint: 'Use a local NTFS disk and a supported version of Windows.',
  },
  80: { code: 'FILE_FAILED', meaning: 'the file exists already', hint: `Move the existing file away, ${AGAIN}` },
  87: { code: 'SYSTEM_CALL_FAILED', meaning: 'a parameter is wrong', hint: REPORT },
  112: { code: 'DISK_FULL', meaning: 'the disk is full', hint: FREE_SPACE },
  122: { code: 'SYSTEM_CALL_FAILED', meaning: 'the answer did not fit', hint: REPORT },
  123: { code: 'UNSAFE_PATH', meaning: 'the name has characters that are not allowed', hint: 'Choose another name.' },
  124: {
    code: 'NOT_SUPPORTED',
    meaning: 'this system does not support the setting',
    hint: 'Use a supported version of Windows.',
  },
  145: { code: 'FILE_FAILED', meaning: 'the folder is not empty', hint: `Empty the folder, ${AGAIN}` },
  183: { code: 'FILE_FAILED', meaning: 'the file exists already', hint: `Move the existing file away, ${AGAIN}` },
  193: {
    code: 'SERVICE_FAILED',
    meaning: 'the file is not a program for this system',
    hint: 'Install the executable made for this CPU and check that it is whole.',
  },
  206: { code: 'UNSAFE_PATH', meaning: 'the path is too long', hint: 'Choose a shorter path.' },
  225: {
    code: 'ACCESS_DENIED',
    meaning: 'the virus scanner refused the file',
    hint: 'Allow the file in the virus scanner.',
  },
  267: { code: 'PATH_NOT_FOUND', meaning: 'the path is not a folder', hint: CHECK_PATH },
  1051: {
    code: 'SERVICE_CONFLICT',
    meaning: 'services that depend on it are running',
    hint: `Stop the services that depend on it, ${AGAIN}`,
  },
  1052: {
    code: 'SERVICE_CONFLICT',
    meaning: 'the service does not take this control now',
    hint: `Wait until the service runs, ${AGAIN}`,
  },
  1053: { code: 'SERVICE_FAILED', meaning: 'the service did not answer in time', hint: SEE_EVENTS },
  1054: {
    code: 'SERVICE_FAILED',
    meaning: 'the service could not make a thread',
    hint: `Free some memory, ${AGAIN}`,
  },
  1055: {
    code: 'SERVICE_CONFLICT',
    meaning: 'the service database is locked',
    hint: `Wait until the other change of services ends, ${AGAIN}`,
  },
  1056: { code: 'SERVICE_CONFLICT', meaning: 'the service runs already', hint: `Stop the service, ${AGAIN}` },
  1057: {
    code: 'SERVICE_FAILED',
    meaning: 'the account of the service is wrong',
    hint: 'Set the account of the service to LocalSystem.',
  },
  1058: {
    code: 'SERVICE_CONFLICT',
    meaning: 'the service is disabled',
    hint: `Set the start type of the service to automatic or manual, ${AGAIN}`,
  },
  1059: {
    code: 'SERVICE_CONFLICT',
    meaning: 'services depend on each other in a circle',
    hint: `Remove one of the dependencies, ${AGAIN}`,
  },
  1060: {
    code: 'SERVICE_NOT_FOUND',
    meaning: 'no such service is installed',
    hint: 'Install the service, or check the spelling of its name.',
  },
  1061: {
    code: 'SERVICE_CONFLICT',
    meaning: 'the service cannot take a control now',
    hint: `Wait until the service has started or stopped, ${AGAIN}`,
  },
  1062: { code: 'SERVICE_CONFLICT', meaning: 'the service does not run', hint: `Start the service, ${AGAIN}` },
  1063: {
    code: 'SERVICE_CONFLICT',
    meaning: 'the program was not started by the service manager',
    hint: 'Start the program as a service.',
  },
  1064: { code: 'SERVICE_FAILED', meaning: 'the service raised an exception', hint: SEE_EVENTS },
  1066: { code: 'SERVICE_FAILED', meaning: 'the service stopped with a service-specific error', hint: SEE_EVENTS },
  1067: { code: 'SERVICE_FAILED', meaning: 'the process ended unexpectedly', hint: SEE_EVENTS },
  1068: {
    code: 'SERVICE_FAILED',
    meaning: 'a service it depends on did not start',
    hint: 'Start the services it depends on and read what they report.',
  },
  1069: {
    code: 'SERVICE_FAILED',
    meaning: 'the account of the service could not log on',
    hint: 'Set the account of the service to LocalSystem.',
  },
  1070: { code: 'SERVICE_FAILED', meaning: 'the service hung while starting', hint: SEE_EVENTS },
  1072: { code: 'SERVICE_CONFLICT', meaning: 'the service is being deleted', hint: CLOSE_CONSOLES },
  1073: { code: 'SERVICE_CONFLICT', meaning: 'the service exists already', hint: `Remove the service, ${AGAIN}` },
  1075: {
    code: 'SERVICE_CONFLICT',
    meaning: 'a service it depends on is not installed',
    hint: 'Install the services it depends on first.',
  },
  1077: { code: 'SERVICE_CONFLICT', meaning: 'the service was never started', hint: 'Start the service.' },
  1078: {
    code: 'SERVICE_CONFLICT',
    meaning: 'another service has this display name',
    hint: 'Choose another display name.',
  },
  1115: {
    code: 'INTERRUPTED',
    meaning: 'the system is shutting down',
    hint: 'Run the command again after the system has started.',
  },
  1224: { code: 'FILE_IN_USE', meaning: 'a program runs from the file', hint: CLOSE_USER },
  1307: { code: 'PRIVILEGE_REQUIRED', meaning: 'the owner may not be set', hint: AS_ADMINISTRATOR },
  1314: { code: 'PRIVILEGE_REQUIRED', meaning: 'a privilege is missing', hint: AS_ADMINISTRATOR },
  1920: { code: 'ACCESS_DENIED', meaning: 'the system cannot open the file', hint: AS_ADMINISTRATOR },
};
