import type { EdgecoreConfig } from '@fenestra/contracts';
import type { IdentityPaths } from '../certificates/identity-files.ts';
import type { ConnectionPace } from './hub-connection.ts';

/** What the configuration says about the connection to the cloud. Plain data: a reload compares it. */
export interface HubSettings {
  readonly target: HubTarget;
  readonly pace: HubPace;
}

/** Where the node connects to and as whom. With another one it has to connect again. */
export interface HubTarget {
  readonly server: string;
  readonly nodeName: string;
  readonly projectId: string;
  /** Where certificates come from. */
  readonly httpServer: string;
  readonly paths: IdentityPaths;
  readonly webSocket: boolean;
}

/** How the connection is used and managed. A living one takes it up. */
export interface HubPace extends ConnectionPace {
  readonly handshakeTimeoutMs: number;
  /** Whether to renew the certificate before it expires. */
  readonly rotate: boolean;
}

const SECOND = 1000;

/** Reads the hub's part of the configuration. */
export function hubSettings({ modules }: EdgecoreConfig): HubSettings {
  const { edgeHub, edged } = modules;
  const { websocket } = edgeHub;
  return {
    target: {
      server: websocket.server,
      nodeName: edged.hostnameOverride,
      projectId: edgeHub.projectID,
      httpServer: edgeHub.httpServer,
      paths: {
        caFile: edgeHub.tlsCaFile,
        certificateFile: edgeHub.tlsCertFile,
        keyFile: edgeHub.tlsPrivateKeyFile,
      },
      webSocket: websocket.enable,
    },
    pace: {
      handshakeTimeoutMs: websocket.handshakeTimeout * SECOND,
      writeDeadlineMs: websocket.writeDeadline * SECOND,
      heartbeatMs: edgeHub.heartbeat * SECOND,
      messagesPerSecond: edgeHub.messageQPS,
      messageBurst: edgeHub.messageBurst,
      rotate: edgeHub.rotateCertificates,
    },
  };
}
