import {
  getCompoundMetrics,
  getJobStats,
  getProcessMetrics,
  getQueueMetrics,
} from '../../../shared/instance/sidekiq/sidekiq.operations.js';
import {
  compoundMetricsSerializer,
  jobStatsSerializer,
  processMetricsSerializer,
  queueMetricsSerializer,
} from '../../../shared/instance/sidekiq/sidekiq.serializer.js';
import { deleteJobsByContext } from '../../../shared/instance/sidekiq/delete-by-context.js';
import { del, get, routes } from '../../core/routes.js';

const deleted = {
  type: 'object',
  properties: {
    completed: {
      type: 'boolean',
      description: 'Indicates all matching jobs are deleted; if `false`, there are more: repeat the request.',
    },
    deleted_jobs: { type: 'integer' },
    queue_size: { type: 'integer', description: 'Number of jobs still waiting in the queue.' },
  },
  required: ['completed', 'deleted_jobs', 'queue_size'],
};

export default routes('', [
  get('/sidekiq/queue_metrics', getQueueMetrics, { present: queueMetricsSerializer }),
  get('/sidekiq/process_metrics', getProcessMetrics, { present: processMetricsSerializer }),
  get('/sidekiq/job_stats', getJobStats, { present: jobStatsSerializer }),
  get('/sidekiq/compound_metrics', getCompoundMetrics, { present: compoundMetricsSerializer }),
  del('/admin/sidekiq/queues/:queue_name', deleteJobsByContext, { schema: deleted }),
]);
