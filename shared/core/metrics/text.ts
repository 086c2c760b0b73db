import { SERVICE_VERSION } from '../values/version.js';
import { appInfo, registry } from './instruments.js';
import { measurePools } from './pools.js';

/** What Prometheus expects of its text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Sampling interval of the event loop lag, in milliseconds: each sample wakes an idle process. */
const LAG_PRECISION_MS = 100;

let watching: Promise<void> | undefined;

/** The client library's process metrics. They are collected from the first request for metrics on. */
function watchProcess(): Promise<void> {
  watching ??= import('prom-client/lib/defaultMetrics.js').then(({ default: collectDefaultMetrics }) =>
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS }),
  );
  return watching;
}

/** Everything that this process counts, in Prometheus' text format. */
export async function metricsText(revision: string): Promise<string> {
  await watchProcess();
  appInfo.set({ version: SERVICE_VERSION, revision }, 1);
  measurePools();
  // The client library writes a value that is no number in a way that only lenient readers take.
  return (await registry.metrics()).replace(/ Nan$/gm, ' NaN');
}
