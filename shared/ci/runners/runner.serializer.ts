import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { getRunnerStatus, RUNNER_STATUSES } from './runner-status.js';
import type { IssuedToken } from './runner-tokens.js';
import type { RunnerManagerRecord, RunnerRecord } from './runner.finder.js';

export const RUNNER_TYPES = ['instance_type', 'group_type', 'project_type'] as const;

export const RUNNER_ACCESS_LEVELS = ['not_protected', 'ref_protected'] as const;

/** What both answer of whether a job runs there. */
const jobExecutionStatus = out.text(({ executing }: { executing: boolean }) => (executing ? 'active' : 'idle'), {
  description: 'State of its jobs: `active` while one runs there.',
  enum: ['active', 'idle'],
});

/** What every answer shows of a runner. */
export const runnerFields: Record<string, OutField<RunnerRecord>> = {
  id: out.integer((runner) => runner.id),
  description: out.nullableText((runner) => runner.description ?? null),
  ip_address: out.text(() => '', { description: 'Always empty: see the addresses of the managers.' }),
  active: out.boolean((runner) => !runner.paused, { description: 'The opposite of `paused`, of earlier versions.' }),
  paused: out.boolean((runner) => runner.paused, { description: 'If `true`, the runner gets no jobs.' }),
  is_shared: out.boolean((runner) => runner.runner_type === 'instance_type', {
    description: 'If `true`, the runner serves all projects of the instance.',
  }),
  runner_type: out.text((runner) => runner.runner_type, { enum: RUNNER_TYPES }),
  name: out.nullableText(() => null),
  online: out.nullableFlag(
    (runner, ctx) => (runner.contacted_at ? getRunnerStatus(runner, ctx.clock.now()) === 'online' : null),
    { description: 'If `true`, the runner made contact within two hours; null if it never did.' },
  ),
  created_by: out.nullableRecord(userSummary, (runner) => runner.creator),
  created_at: out.instant((runner) => runner.created_at),
  status: out.text((runner, ctx) => getRunnerStatus(runner, ctx.clock.now()), { enum: RUNNER_STATUSES }),
  job_execution_status: jobExecutionStatus,
};

/** A runner in lists and in answers about jobs (ci-execution.md section 9). */
export const runnerSummary = serializer<RunnerRecord>('Runner', runnerFields);

/** A program of a runner. */
export const runnerManagerSummary = serializer<RunnerManagerRecord>('RunnerManager', {
  id: out.integer((manager) => manager.id),
  system_id: out.text((manager) => manager.system_id),
  version: out.nullableText((manager) => manager.version ?? null),
  revision: out.nullableText((manager) => manager.revision ?? null),
  platform: out.nullableText((manager) => manager.platform ?? null),
  architecture: out.nullableText((manager) => manager.architecture ?? null),
  created_at: out.instant((manager) => manager.created_at),
  contacted_at: out.nullableInstant((manager) => manager.contacted_at ?? null),
  ip_address: out.nullableText((manager) => manager.ip_address ?? null),
  status: out.text((manager, ctx) => getRunnerStatus(manager, ctx.clock.now()), { enum: RUNNER_STATUSES }),
  job_execution_status: jobExecutionStatus,
});

/** A token that was issued, which nothing can show again. */
export const issuedToken = serializer<IssuedToken>('RunnerToken', {
  id: out.integer((issued) => issued.id),
  token: out.text((issued) => issued.token, { secret: true }),
  token_expires_at: out.nullableInstant((issued) => issued.token_expires_at),
});

/** A token that replaces another one. */
export const resetToken = serializer<IssuedToken>('ResetRunnerToken', {
  token: out.text((issued) => issued.token, { secret: true }),
  token_expires_at: out.nullableInstant((issued) => issued.token_expires_at),
});
