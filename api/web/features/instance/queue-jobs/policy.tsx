import { Link } from 'react-router';
import type { ReactNode } from 'react';
import type { QueueDetail } from '../../../data/api.js';
import { queuePath, formatSeconds as seconds } from './labels.js';

function retries({ limit, delay, backoff, delay_max: most }: QueueDetail['retry_policy']): string {
  if (limit === 0) return 'no retries';
  const first = `${limit} ${limit === 1 ? 'retry' : 'retries'}, the first after ${seconds(delay)}`;
  if (!backoff) return first;
  return `${first}, with increasing delay${most === null ? '' : `, at most ${seconds(most)} apart`}`;
}

/** The state of a queue and its settings as text. */
export function policyDetails(queue: QueueDetail): (readonly [string, ReactNode])[] {
  const { throughput } = queue;
  return [
    ['Oldest waiting', queue.latency_seconds === 0 ? 'none' : seconds(queue.latency_seconds)],
    ['Per minute', `${throughput.completed_per_minute} done, ${throughput.failed_per_minute} failed`],
    ['Retries', retries(queue.retry_policy)],
    ['Timeout', `${seconds(queue.expire_seconds)} per attempt`],
    ['Retention', `${seconds(queue.deletion_seconds)} after finishing`],
    ...(queue.dead_letter === null
      ? []
      : [
          [
            'Failed jobs',
            <Link key="dead" to={queuePath(queue.dead_letter)}>
              go to {queue.dead_letter}
            </Link>,
          ] as const,
        ]),
  ];
}
