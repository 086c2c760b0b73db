import { randomUUID } from 'node:crypto';

/** The resources of an operation or job: full paths of a project and of its top-level namespace. */
export interface ContainerPaths {
  readonly project: string | null;
  readonly root_namespace: string | null;
}

/** The user, source and subject of the jobs that are sent. */
export interface JobOrigin extends ContainerPaths {
  /** Username of the requesting user, also for jobs sent by other jobs. */
  readonly user: string | null;
  /** The operation, or the kind of job, that sends. */
  readonly caller_id: string | null;
  /** The id of the request with which it began. */
  readonly correlation_id: string;
}

/**
 * The context in every payload, in addition to the data for its handler (jobs-admin.md section 1.1). A contract once
 * released.
 */
export interface JobContext extends JobOrigin {
  readonly feature_category: string;
  /** The span that sent it, as W3C's `traceparent`; null while traces are off. */
  readonly traceparent: string | null;
}

/** The key of the context in the payload. */
export const JOB_CONTEXT_KEY = '_ctx';

export const NOWHERE: ContainerPaths = { project: null, root_namespace: null };

/** The paths of a resource in a project or group, by its full path. */
export const aboutProject = ({ full_path: path }: { full_path: string }): ContainerPaths => ({
  project: path,
  root_namespace: getRoot(path),
});

export const aboutNamespace = ({ full_path: path }: { full_path: string }): ContainerPaths => ({
  project: null,
  root_namespace: getRoot(path),
});

const getRoot = (path: string): string => path.split('/', 1)[0] as string;

/** The origin of jobs that the service sends by itself. */
export const originOfService = (callerId: string | null): JobOrigin => ({
  user: null,
  caller_id: callerId,
  ...NOWHERE,
  correlation_id: randomUUID(),
});

const getText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Splits a stored payload into the data for its handler and the context, which is null in jobs of earlier versions. */
export function splitPayload<P extends object>(stored: P | null): { payload: P; context: JobContext | null } {
  if (!stored || !(JOB_CONTEXT_KEY in stored)) return { payload: stored ?? ({} as P), context: null };
  const { [JOB_CONTEXT_KEY]: origin, ...payload } = stored as Record<string, unknown>;
  const read = (typeof origin === 'object' && origin ? origin : {}) as Record<string, unknown>;
  const context: JobContext = {
    user: getText(read.user),
    project: getText(read.project),
    root_namespace: getText(read.root_namespace),
    caller_id: getText(read.caller_id),
    feature_category: getText(read.feature_category) ?? 'not_owned',
    correlation_id: getText(read.correlation_id) ?? randomUUID(),
    traceparent: getText(read.traceparent),
  };
  return { payload: payload as P, context };
}

/** The origin of the jobs that a job sends: that of the job itself, as far as all jobs of its batch agree. */
export function originOfJobs(contexts: readonly (JobContext | null)[], callerId: string): JobOrigin {
  const agreed = (key: keyof JobOrigin) => {
    const value = contexts[0]?.[key] ?? null;
    return contexts.every((one) => (one?.[key] ?? null) === value) ? value : null;
  };
  return {
    user: agreed('user'),
    project: agreed('project'),
    root_namespace: agreed('root_namespace'),
    caller_id: callerId,
    correlation_id: agreed('correlation_id') ?? randomUUID(),
  };
}
