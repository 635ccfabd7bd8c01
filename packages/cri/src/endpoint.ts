import { OperatorError } from '@fenestra/kernel';

const SOCKET = /^(?:unix:(?:\/\/)?)?(\/[^/].*)$/;
const PIPE = /^(?:npipe:[\\/]*|[\\/]{2})\.[\\/]pipe[\\/](.+)$/i;

/**
 * What has to be opened for a runtime's endpoint: the path of a socket or of a Windows named pipe. It takes the spellings
 * that kubelet and keadm take: `unix:///run/x.sock`, `/run/x.sock`, `npipe:////./pipe/x`, `npipe://./pipe/x`, `\\.\pipe\x`.
 */
export function socketPathOf(endpoint: string): string {
  const pipe = PIPE.exec(endpoint)?.[1];
  if (pipe !== undefined) return `\\\\.\\pipe\\${pipe.replaceAll('/', '\\')}`;
  const socket = SOCKET.exec(endpoint)?.[1];
  if (socket !== undefined) return socket;
  throw new OperatorError('RUNTIME_UNUSABLE', `Cannot reach a container runtime at "${endpoint}"`, {
    hint: 'Give an endpoint such as "unix:///run/containerd/containerd.sock" or "npipe:////./pipe/containerd-containerd".',
  });
}
