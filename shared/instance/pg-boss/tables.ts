import { expressionBuilder, sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import { unnestedColumns } from '../../core/database/expressions.js';
import type { InstanceDatabase } from '../instance.entities.js';

/*
 * The tables of pg-boss, as far as statements of this folder name them. No other part of the service does, and a test
 * compares them with those that the library makes: an upgrade that changes one fails there.
 */

/** The schema that holds the queue's tables. */
export const QUEUE_SCHEMA = 'pgboss';

/** The library's own queue, through which jobs of schedules come. */
export const SCHEDULES_QUEUE = '__pgboss__send-it';

/** The states of a job, in their order: those before `active` wait. */
export const JOB_STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

export interface JobTable {
  id: string;
  /** Of its queue. */
  name: string;
  data: object | null;
  output: object | null;
  state: JobState;
  policy: string | null;
  priority: number;
  retry_count: number;
  retry_limit: number;
  singleton_key: string | null;
  singleton_on: Date | null;
  dead_letter: string | null;
  blocked: boolean;
  created_on: Date;
  start_after: Date;
  started_on: Date | null;
  completed_on: Date | null;
  heartbeat_on: Date | null;
  keep_until: Date;
}

export interface QueueTable {
  name: string;
  policy: string;
  dead_letter: string | null;
  retry_limit: number;
  retry_delay: number;
  retry_backoff: boolean;
  retry_delay_max: number | null;
  expire_seconds: number;
  retention_seconds: number;
  deletion_seconds: number;
  heartbeat_seconds: number | null;
  active_count: number;
  total_count: number;
  monitor_on: Date | null;
  monitor_claim_on: Date | null;
}

interface JobDependencyTable {
  child_name: string;
  child_id: string;
}

/** Tables available to queries on the queue. */
export interface PgBossDatabase {
  'pgboss.job': JobTable;
  'pgboss.queue': QueueTable;
  'pgboss.job_dependency': JobDependencyTable;
}

type ColumnTypes<Table> = {
  readonly [Column in keyof Table]: `${string}${null extends Table[Column] ? ' null' : ''}`;
};

/** Database type of each of these columns, with `null` if nullable. */
export const COLUMN_TYPES: { readonly [Table in keyof PgBossDatabase]: ColumnTypes<PgBossDatabase[Table]> } = {
  'pgboss.job': {
    id: 'uuid',
    name: 'text',
    data: 'jsonb null',
    output: 'jsonb null',
    state: 'job_state',
    policy: 'text null',
    priority: 'int4',
    retry_count: 'int4',
    retry_limit: 'int4',
    singleton_key: 'text null',
    singleton_on: 'timestamp null',
    dead_letter: 'text null',
    blocked: 'bool',
    created_on: 'timestamptz',
    start_after: 'timestamptz',
    started_on: 'timestamptz null',
    completed_on: 'timestamptz null',
    heartbeat_on: 'timestamptz null',
    keep_until: 'timestamptz',
  },
  'pgboss.queue': {
    name: 'text',
    policy: 'text',
    dead_letter: 'text null',
    retry_limit: 'int4',
    retry_delay: 'int4',
    retry_backoff: 'bool',
    retry_delay_max: 'int4 null',
    expire_seconds: 'int4',
    retention_seconds: 'int4',
    deletion_seconds: 'int4',
    heartbeat_seconds: 'int4 null',
    active_count: 'int4',
    total_count: 'int4',
    monitor_on: 'timestamptz null',
    monitor_claim_on: 'timestamptz null',
  },
  'pgboss.job_dependency': { child_name: 'text', child_id: 'uuid' },
};

/** What queries of this folder may name. */
export interface QueueDatabase extends InstanceDatabase, PgBossDatabase {}

/** The queue's time, by which jobs are due. */
export const queueNow = expressionBuilder<PgBossDatabase>().fn<Date>('pgboss.job_now', []);

/** That a job is in one of some states, for `=`: sent as one parameter. */
export const anyState = (states: readonly string[]): RawBuilder<JobState> =>
  sql<JobState>`any(${states}::pgboss.job_state[])`;

/** The value of a context key in a job's payload. */
export const selectJobContext = (data: Expression<object | null>, key: Expression<string>): RawBuilder<string | null> =>
  sql<string | null>`${data} -> '_ctx' ->> ${key}`;

/** The jobs of a batch with the attempt of each, as rows. */
export const batchJobs = (ids: Expression<string[]>, attempts: Expression<number[]>) =>
  unnestedColumns<{ id: string; attempt: number }>({ id: [ids, 'uuid'], attempt: [attempts, 'int'] });

/** How attempts name the process of a worker: `host:4711`. @param alias of the worker */
export const workerName = (alias: string): RawBuilder<string> =>
  sql<string>`${sql.ref(`${alias}.hostname`)} || ':' || ${sql.ref(`${alias}.pid`)}`;
