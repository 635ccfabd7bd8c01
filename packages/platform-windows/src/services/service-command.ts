import type { ServiceAction } from '@fenestra/platform';

/** The command line with which an operator does this by hand. */
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
