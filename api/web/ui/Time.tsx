import { useNow } from './now.js';
import { formatInstant, formatRelativeTime } from './format-time.js';

/** An instant as people say it; the exact one, with its zone, on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatInstant(date)}>
      {formatRelativeTime(date, new Date(now))}
    </time>
  );
}
