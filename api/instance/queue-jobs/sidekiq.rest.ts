import {
  getCompoundMetrics,
  getJobStats,
  getProcessMetrics,
  getQueueMetrics,
} from '../../../shared/instance/queue-jobs/sidekiq.operations.js';
import {
  compoundMetricsShape,
  jobStatsShape,
  processMetricsShape,
  queueMetricsShape,
} from '../../../shared/instance/queue-jobs/sidekiq.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('', [
  get('/sidekiq/queue_metrics', getQueueMetrics, { present: queueMetricsShape }),
  get('/sidekiq/process_metrics', getProcessMetrics, { present: processMetricsShape }),
  get('/sidekiq/job_stats', getJobStats, { present: jobStatsShape }),
  get('/sidekiq/compound_metrics', getCompoundMetrics, { present: compoundMetricsShape }),
]);
