import { out, shape } from '../../core/operations/shape.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { userSummary } from '../../tenancy/users/user.shape.js';

/** A job as what was reported of a commit (README decision 17). */
export const commitStatusShape = shape<JobRecord>('CommitStatus', {
  id: out.integer((job) => job.id),
  sha: out.text((job) => job.pipeline.sha),
  ref: out.text((job) => job.pipeline.ref),
  status: out.text((job) => job.status),
  name: out.text((job) => job.name),
  target_url: out.nullableText((job) => job.target_url),
  description: out.nullableText((job) => job.description),
  created_at: out.instant((job) => job.created_at),
  started_at: out.nullableInstant((job) => job.started_at),
  finished_at: out.nullableInstant((job) => job.finished_at),
  allow_failure: out.boolean((job) => job.allow_failure),
  coverage: out.number((job) => job.coverage),
  pipeline_id: out.integer((job) => job.pipeline_id),
  author: out.nullableRecord(userSummary, (job) => job.user),
});
