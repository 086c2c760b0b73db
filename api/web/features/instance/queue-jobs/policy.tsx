import { Link } from 'react-router';
import type { ReactNode } from 'react';
import type { QueueDetail } from '../../../data/api.js';
import { queuePath, formatSeconds as seconds } from './labels.js';

function retries({ limit, delay, backoff, delay_max: most }: QueueDetail['retry_policy']): string {
  if (limit === 0) return 'not tried again';
  const first = `${limit} more ${limit === 1 ? 'try' : 'tries'}, the first after ${seconds(delay)}`;
  if (!backoff) return first;
  return `${first}, each later than the one before${most === null ? '' : `, at most ${seconds(most)} apart`}`;
}

/** The state of a queue and its settings as text. */
export function policyDetails(queue: QueueDetail): (readonly [string, ReactNode])[] {
  const { throughput } = queue;
  return [
    ['Oldest waits', queue.latency_seconds === 0 ? 'none waits' : seconds(queue.latency_seconds)],
    ['Per minute', `${throughput.completed_per_minute} done, ${throughput.failed_per_minute} failed`],
    ['Retries', retries(queue.retry_policy)],
    ['One try', `ends after ${seconds(queue.expire_seconds)}`],
    ['Kept', `${seconds(queue.deletion_seconds)} after they ended`],
    ...(queue.dead_letter === null
      ? []
      : [
          [
            'Given up',
            <Link key="dead" to={queuePath(queue.dead_letter)}>
              go to {queue.dead_letter}
            </Link>,
          ] as const,
        ]),
  ];
}
