import {
  graphqlComplexity,
  graphqlSeconds,
  httpRequests,
  httpSeconds,
  jobsFailed,
  jobsProcessed,
  spamChecks,
  spamSeconds,
  throttled,
} from './instruments.js';

/** Other methods are counted as `OTHER`: a client can send any method that the parser knows. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts an answered request.
 * @param route the pattern that it matched, such as `/api/v4/projects/:id`; never the requested path
 */
export function requestAnswered(method: string, status: number, route: string, seconds: number): void {
  const label = METHODS.has(method) ? method : 'OTHER';
  httpRequests.inc({ method: label, status, route });
  httpSeconds.observe({ method: label, route }, seconds);
}

/** `refused`: it was not run, because of itself; `error`: it ran, and some of it raised an error. */
export type GraphqlOutcome = 'ok' | 'error' | 'refused';

/** Counts one GraphQL operation; `kind` is `query`, `mutation`, or `none` if it could not be parsed. */
export function graphqlAnswered(kind: string, outcome: GraphqlOutcome, seconds: number, complexity: number): void {
  const labels = { operation_kind: kind, outcome };
  graphqlSeconds.observe(labels, seconds);
  graphqlComplexity.observe(labels, complexity);
}

/**
 * Counts an attempt at a job that ended in this process.
 * @param queue the name of the job's kind
 */
export function countJobAttempt(queue: string, outcome: 'done' | 'failed'): void {
  jobsProcessed.inc({ queue });
  if (outcome === 'failed') jobsFailed.inc({ queue });
}

/** Counts a refusal by a rate limit. */
export function limitExceeded(name: string): void {
  throttled.inc({ name });
}

/**
 * Counts the verdict of one checker on a text, or of a CAPTCHA provider on a response.
 * @param checker its name: `wordlist`, `http`, `akismet`, `captcha`
 * @param verdict a fixed value: a verdict, or `timeout` or `error` if there is none
 */
export function spamChecked(checker: string, verdict: string, seconds: number): void {
  spamChecks.inc({ checker, verdict });
  spamSeconds.observe({ checker }, seconds);
}
