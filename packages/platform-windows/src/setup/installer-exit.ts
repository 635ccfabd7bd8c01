/** How an installer of Windows ended. */
export interface InstallerExit {
  readonly code: number;
  readonly isDone: boolean;
  /** Whether the work is complete only after a restart. */
  readonly restart: boolean;
  /** Whether what was to be taken off is not there. */
  readonly isAbsent: boolean;
  readonly meaning: string;
}

const RESTART_CODES = [3010, 1641];
const UNKNOWN_PRODUCT = 1605;

/** What the codes mean that people meet. See https://learn.microsoft.com/windows/win32/msi/error-codes. */
const MEANINGS: Readonly<Record<number, string>> = {
  5: 'access is denied',
  50: 'this Windows cannot do it',
  87: 'an argument is wrong',
  1601: 'Windows Installer cannot be reached',
  1602: 'it was cancelled',
  1603: 'the installation failed',
  1605: 'it is not installed',
  1612: 'the package is not there',
  1618: 'another installation is in progress',
  1619: 'the package cannot be opened',
  1620: 'it is not a Windows Installer package',
  1625: 'a policy forbids it',
  1633: 'the package is for another processor',
  1638: 'another version is installed already',
};

/** Reads an exit code. */
export function judgeExit(code: number): InstallerExit {
  const restart = RESTART_CODES.includes(code);
  return {
    code,
    restart,
    isDone: code === 0 || restart,
    isAbsent: code === UNKNOWN_PRODUCT,
    meaning: MEANINGS[code] ?? 'it failed',
  };
}
