import type { ErrorCode } from '@fenestra/kernel';

const AGAIN = 'then run the command again.';
const AS_ADMINISTRATOR = 'Run the command from an elevated prompt ("Run as administrator").';
const FREE_SPACE = `Free some space on this disk, ${AGAIN}`;
const CLOSE_USER = `Close the program that uses the file, ${AGAIN}`;
const CHECK_PATH = 'Check that the path exists and is spelled right.';
const CLOSE_CONSOLES = `Close every program that shows services, such as services.msc and Task Manager, ${AGAIN}`;
const SEE_EVENTS = 'Read the System and Application event logs for what the service reported.';
const REPORT = 'Report this with the output of "keadm doctor": the program passed an invalid parameter.';

/** What a Win32 error means to an operator. */
export type Win32Meaning = readonly [code: ErrorCode, meaning: string, hint: string];

/** The Win32 errors an operator can meet, by number. The numbers are those of winerror.h. */
export const WIN32_MEANINGS: Readonly<Record<number, Win32Meaning>> = {
  2: ['PATH_NOT_FOUND', 'the file does not exist', CHECK_PATH],
  3: ['PATH_NOT_FOUND', 'the folder does not exist', CHECK_PATH],
  5: ['ACCESS_DENIED', 'access is denied', AS_ADMINISTRATOR],
  19: ['READ_ONLY', 'the disk is write-protected', `Make the disk writable, ${AGAIN}`],
  32: ['FILE_IN_USE', 'another program has the file open', CLOSE_USER],
  33: ['FILE_IN_USE', 'another program has locked the file', CLOSE_USER],
  39: ['DISK_FULL', 'the disk is full', FREE_SPACE],
  50: ['NOT_SUPPORTED', 'this system does not support it', 'Use a local NTFS disk and a supported version of Windows.'],
  80: ['FILE_FAILED', 'the file exists already', `Move the existing file away, ${AGAIN}`],
  87: ['SYSTEM_CALL_FAILED', 'a parameter is wrong', REPORT],
  112: ['DISK_FULL', 'the disk is full', FREE_SPACE],
  122: ['SYSTEM_CALL_FAILED', 'the answer did not fit', REPORT],
  123: ['UNSAFE_PATH', 'the name has characters that are not allowed', 'Choose another name.'],
  124: ['NOT_SUPPORTED', 'this system does not support the setting', 'Use a supported version of Windows.'],
  145: ['FILE_FAILED', 'the folder is not empty', `Empty the folder, ${AGAIN}`],
  183: ['FILE_FAILED', 'the file exists already', `Move the existing file away, ${AGAIN}`],
  193: [
    'SERVICE_FAILED',
    'the file is not a program for this system',
    'Install the executable made for this CPU and check that it is whole.',
  ],
  206: ['UNSAFE_PATH', 'the path is too long', 'Choose a shorter path.'],
  225: ['ACCESS_DENIED', 'the virus scanner refused the file', 'Allow the file in the virus scanner.'],
  267: ['PATH_NOT_FOUND', 'the path is not a folder', CHECK_PATH],
  1051: ['SERVICE_CONFLICT', 'services that depend on it are running', `Stop the services that depend on it, ${AGAIN}`],
  1052: ['SERVICE_CONFLICT', 'the service does not take this control now', `Wait until the service runs, ${AGAIN}`],
  1053: ['SERVICE_FAILED', 'the service did not answer in time', SEE_EVENTS],
  1054: ['SERVICE_FAILED', 'the service could not make a thread', `Free some memory, ${AGAIN}`],
  1055: [
    'SERVICE_CONFLICT',
    'the service database is locked',
    `Wait until the other change of services ends, ${AGAIN}`,
  ],
  1056: ['SERVICE_CONFLICT', 'the service runs already', `Stop the service, ${AGAIN}`],
  1057: ['SERVICE_FAILED', 'the account of the service is wrong', 'Set the account of the service to LocalSystem.'],
  1058: [
    'SERVICE_CONFLICT',
    'the service is disabled',
    `Set the start type of the service to automatic or manual, ${AGAIN}`,
  ],
  1059: ['SERVICE_CONFLICT', 'services depend on each other in a circle', `Remove one of the dependencies, ${AGAIN}`],
  1060: [
    'SERVICE_NOT_FOUND',
    'no such service is installed',
    'Install the service, or check the spelling of its name.',
  ],
  1061: [
    'SERVICE_CONFLICT',
    'the service cannot take a control now',
    `Wait until the service has started or stopped, ${AGAIN}`,
  ],
  1062: ['SERVICE_CONFLICT', 'the service does not run', `Start the service, ${AGAIN}`],
  1063: ['SERVICE_CONFLICT', 'the program was not started by the service manager', 'Start the program as a service.'],
  1064: ['SERVICE_FAILED', 'the service raised an exception', SEE_EVENTS],
  1066: ['SERVICE_FAILED', 'the service stopped with a service-specific error', SEE_EVENTS],
  1067: ['SERVICE_FAILED', 'the process ended unexpectedly', SEE_EVENTS],
  1068: [
    'SERVICE_FAILED',
    'a service it depends on did not start',
    'Start the services it depends on and read what they report.',
  ],
  1069: [
    'SERVICE_FAILED',
    'the account of the service could not log on',
    'Set the account of the service to LocalSystem.',
  ],
  1070: ['SERVICE_FAILED', 'the service hung while starting', SEE_EVENTS],
  1072: ['SERVICE_CONFLICT', 'the service is being deleted', CLOSE_CONSOLES],
  1073: ['SERVICE_CONFLICT', 'the service exists already', `Remove the service, ${AGAIN}`],
  1075: ['SERVICE_CONFLICT', 'a service it depends on is not installed', 'Install the services it depends on first.'],
  1077: ['SERVICE_CONFLICT', 'the service was never started', 'Start the service.'],
  1078: ['SERVICE_CONFLICT', 'another service has this display name', 'Choose another display name.'],
  1115: ['INTERRUPTED', 'the system is shutting down', 'Run the command again after the system has started.'],
  1224: ['FILE_IN_USE', 'a program runs from the file', CLOSE_USER],
  1307: ['PRIVILEGE_REQUIRED', 'the owner may not be set', AS_ADMINISTRATOR],
  1314: ['PRIVILEGE_REQUIRED', 'a privilege is missing', AS_ADMINISTRATOR],
  1920: ['ACCESS_DENIED', 'the system cannot open the file', AS_ADMINISTRATOR],
};
