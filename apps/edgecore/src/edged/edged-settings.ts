import { dirname, join } from 'node:path';
import { durationMilliseconds, type EdgecoreConfig, logSizeBytes, POD_RESTARTS_FOLDER } from '@fenestra/contracts';
import { type PressureSettings, pressureSettings } from './pressure/pressure-settings.ts';

/** What the configuration says about running pods. Plain data: a reload compares it. */
export interface EdgedSettings {
  readonly nodeName: string;
  readonly runtimeEndpoint: string;
  /** Where volumes and other files of pods are. */
  readonly rootFolder: string;
  readonly logFolder: string;
  /** Where administrators ask for restarts of containers. */
  readonly restartsFolder: string;
  /** The folder of static pods; empty for none. */
  readonly staticPodPath: string;
  /** How often it is read without being notified. */
  readonly fileCheckMs: number;
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  readonly resolvConf: string;
  readonly cgroupDriver: string;
  readonly cgroupsPerQos: boolean;
  readonly cpuCfsQuota: boolean;
  readonly seccompDefault: boolean;
  readonly serializeImagePulls: boolean;
  readonly maxParallelImagePulls: number;
  /** How many ended instances of a container are kept, and for how long at least. */
  readonly keptInstances: number;
  readonly minEndedAgeMs: number;
  readonly writesEvents: boolean;
  /** How many events are sent at once, and per second on average; 0 per second means no limit. */
  readonly eventBurst: number;
  readonly eventsPerSecond: number;
  readonly pressure: PressureSettings;
  readonly logRotation: LogRotationSettings;
}

/** When the log of a container is rotated. */
export interface LogRotationSettings {
  /** Infinite where logs are not rotated. */
  readonly maxBytes: number;
  /** Files of the log of one instance. */
  readonly maxFiles: number;
  /** Logs rotated at a time. */
  readonly workers: number;
  readonly checkMs: number;
}

/** A rotation needs the file that is written and the last one. */
const LEAST_LOG_FILES = 2;
/** Each check of logs lists the containers, and each one of static pods reads a folder. */
const LEAST_CHECK_MS = 1_000;

/** Reads the part of the configuration that is about pods. */
export function edgedSettings({ modules, database }: EdgecoreConfig): EdgedSettings {
  const { edged } = modules;
  const kubelet = edged.tailoredKubeletConfig;
  return {
    nodeName: edged.hostnameOverride,
    runtimeEndpoint: kubelet.containerRuntimeEndpoint,
    rootFolder: edged.rootDirectory,
    logFolder: kubelet.podLogsDir,
    restartsFolder: join(dirname(database.dataSource), POD_RESTARTS_FOLDER),
    staticPodPath: kubelet.staticPodPath,
    fileCheckMs: Math.max(LEAST_CHECK_MS, durationMilliseconds(kubelet.fileCheckFrequency)),
    clusterDns: kubelet.clusterDNS,
    clusterDomain: kubelet.clusterDomain,
    resolvConf: kubelet.resolvConf,
    cgroupDriver: kubelet.cgroupDriver,
    cgroupsPerQos: kubelet.cgroupsPerQOS,
    cpuCfsQuota: kubelet.cpuCFSQuota,
    seccompDefault: edged.seccompDefault || kubelet.seccompDefault,
    serializeImagePulls: kubelet.serializeImagePulls,
    maxParallelImagePulls: kubelet.maxParallelImagePulls ?? Infinity,
    keptInstances: Math.max(0, edged.maxPerPodContainerCount),
    minEndedAgeMs: durationMilliseconds(edged.minimumGCAge),
    writesEvents: edged.reportEvent,
    eventBurst: kubelet.eventBurst,
    eventsPerSecond: kubelet.eventRecordQPS,
    logRotation: {
      maxBytes: logSizeBytes(kubelet.containerLogMaxSize),
      maxFiles: Math.max(LEAST_LOG_FILES, kubelet.containerLogMaxFiles),
      workers: kubelet.containerLogMaxWorkers,
      checkMs: Math.max(LEAST_CHECK_MS, durationMilliseconds(kubelet.containerLogMonitorInterval)),
    },
    pressure: pressureSettings(edged),
  };
}
