const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From here on minutes do not matter. */
const VAGUE = 10 * HOUR;

function hoursAndMinutes(minutes: number): string {
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** How far away, in the largest unit that is not yet vague. */
function distance(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < VAGUE) return hoursAndMinutes(Math.round(seconds / MINUTE));
  if (seconds < DAY) return `${Math.round(seconds / HOUR)} h`;
  const days = Math.round(seconds / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

// Created once: creating a format takes longer than using it a hundred times, and lists display thousands of times.
const DAY_FORMAT = new Intl.DateTimeFormat('en-CA');
const INSTANT_FORMAT = new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });
const MINUTE_FORMAT = new Intl.DateTimeFormat('en-CA', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const WEEKDAY_FORMAT = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const CLOCK_FORMAT = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** `in 3 min`, `2 h ago`; beyond two months the day itself. */
export function formatRelativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) > 60 * DAY) return DAY_FORMAT.format(at);
  if (Math.abs(seconds) < 2) return 'now';
  return seconds > 0 ? `in ${distance(seconds)}` : `${distance(-seconds)} ago`;
}

/** The instant on the viewer's clock, with its zone. */
export function formatInstant(at: Date): string {
  return INSTANT_FORMAT.format(at);
}

/** As {@link formatInstant}, to the minute and without the zone. */
export const formatMinute = (at: Date): string => MINUTE_FORMAT.format(at);

/** `Sat 30 Mar, 02:30` on the viewer's clock. */
export function formatClock(at: Date): string {
  return `${WEEKDAY_FORMAT.format(at).replace(',', '')}, ${CLOCK_FORMAT.format(at)}`;
}

/** `80 ms`, `1.2 s`, `3 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < MINUTE * 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return distance(Math.round(milliseconds / 1000));
}
