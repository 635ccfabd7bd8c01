/** Where the cloud is. Ports that no one named are the configuration's or the usual ones. */
export interface CloudPlace {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly hubPort: number | undefined;
  readonly certificatePort: number | undefined;
}

/** A configuration file that the operator brought along. */
export interface GivenConfiguration {
  readonly path: string;
  readonly text: string;
}

/** Where another agent than the one keadm carries comes from. */
export interface WantedRelease {
  readonly from: string;
  readonly version: string | undefined;
  readonly trustKeys: readonly string[];
}

/** What an operator wants of a join. */
export interface JoinWishes {
  /** `undefined` where the given configuration says it. */
  readonly cloud: CloudPlace | undefined;
  readonly nodeName: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly runtimeEndpoint: string | undefined;
  readonly cgroupDriver: string | undefined;
  /** The waits before the agent is restarted after failures; `undefined` for the usual ones. */
  readonly restartDelaysSeconds: readonly number[] | undefined;
  readonly configuration: GivenConfiguration | undefined;
  /** `path=value`, each. */
  readonly assignments: readonly string[];
  /** It is secret. */
  readonly token: string | undefined;
  /** This very program, which carries the agent. */
  readonly program: { readonly path: string; readonly version: string; readonly madeAt: Date };
  readonly release: WantedRelease | undefined;
  /** The version that was asked for by its name. */
  readonly version: string | undefined;
  /** Names of checks that must not stop the join. */
  readonly waived: readonly string[];
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}
