import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const LEVELS: Record<number, [name: string, style: Style]> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};

interface Logged {
  level: number;
  time: string;
  msg?: string;
  role?: string;
  err?: { message?: string; stack?: string };
  [key: string]: unknown;
}

const asText = (value: unknown) =>
  typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value) ? value : JSON.stringify(value);

/** What was answered, in the order in which people read it. */
function formatRequest({ method, path, status, seconds, correlation_id }: Record<string, unknown>): string | null {
  if (typeof method !== 'string' || typeof path !== 'string' || typeof seconds !== 'number') return null;
  const id = Number(status) >= 400 ? ` ${asText(correlation_id)}` : '';
  return `${asText(method)} ${asText(path)} ${asText(status)} in ${Math.round(seconds * 1000)} ms${id}`;
}

/**
 * A log line for a person at a terminal: time, level, process, message, values; for a request its method, URL and
 * status, with its id if it was refused.
 * Errors show their stack below. Control characters within values stay escaped. Lines that are not JSON are unchanged.
 * @param colours whether the terminal supports them
 */
export function plainLine(line: string, colours: boolean): string {
  let logged: Logged;
  try {
    logged = JSON.parse(line) as Logged;
  } catch {
    return line;
  }
  const paint = (style: Style, text: string) => (colours ? styleText(style, text, { validateStream: false }) : text);
  const { level, time, msg = '', role = '', err, pid: _pid, ...values } = logged;
  const [name, style] = LEVELS[level] ?? [String(level), 'dim'];
  const request = msg === 'request' ? formatRequest(values) : null;
  const parts = request
    ? [request]
    : [msg, ...Object.entries(values).map(([key, value]) => `${paint('dim', `${key}=`)}${asText(value)}`)];
  const first = [paint('dim', time.slice(11, 23)), paint(style, name.padEnd(5)), role.padEnd(6), ...parts].join(' ');
  const below = err ? `  ${(err.stack ?? err.message ?? '').replaceAll('\n', '\n  ')}\n` : '';
  return `${first.trimEnd()}\n${below}`;
}
