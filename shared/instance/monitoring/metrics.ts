import type { Services } from '../../core/context/context.js';
import { measureStored } from './measures.js';
import { metricsText } from '../../core/metrics/text.js';
import { isWithin, parseNetworks } from '../../core/values/client-network.js';
import type { Networks } from '../../core/values/client-network.js';
import type { Settings } from '../../core/values/settings.js';
import { measureQueues } from './queue-measures.js';

/** Still what Prometheus reads: a page without a metric. */
const DISABLED = '# Metrics are disabled: the setting prometheus_metrics_enabled is false.\n';

/** What `/-/metrics` answers: everything this process counts, and what waits in the queues. */
export async function readMetrics(services: Services): Promise<string> {
  if (!services.settings.current.prometheus_metrics_enabled) return DISABLED;
  await Promise.all([measureQueues(services), measureStored(services)]);
  return metricsText(services.config.revision);
}

/** Keyed by the list object, which stays the same until the setting changes. */
const read = new WeakMap<readonly string[], Networks>();

function getNetworks(list: readonly string[]): Networks {
  let networks = read.get(list);
  if (!networks) {
    networks = list.flatMap((entry) => parseNetworks(entry) ?? []);
    read.set(list, networks);
  }
  return networks;
}

/**
 * Whether a client may read probes and metrics (operations.md section 1).
 * @param address of the client, as returned by `clientAddress`; clients without one may not
 */
export function mayMonitor({ monitoring_allowlist: list }: Settings, address: string | null): boolean {
  return address !== null && isWithin(address, getNetworks(list));
}
