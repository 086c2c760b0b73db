import type { Services } from '../../core/context/context.js';
import { metricsText } from '../../core/metrics/text.js';
import { measureQueues } from './queue-measures.js';

/** Still what Prometheus reads: a page without a metric. */
const DISABLED = '# Metrics are disabled: the setting prometheus_metrics_enabled is false.\n';

/** What `/-/metrics` answers: everything this process counts, and what waits in the queues. */
export async function readMetrics(services: Services): Promise<string> {
  if (!services.settings.current.prometheus_metrics_enabled) return DISABLED;
  await measureQueues(services);
  return metricsText(services.config.revision);
}
