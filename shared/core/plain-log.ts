const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

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

/**
 * A line of the log for a person at a terminal: time, level, process, message, values; an error with its stack below.
 * Control characters within values stay escaped. What is no JSON stays as it is.
 */
export function plainLine(line: string): string {
  let logged: Logged;
  try {
    logged = JSON.parse(line) as Logged;
  } catch {
    return line;
  }
  const { level, time, msg = '', role = '', err, pid: _pid, ...values } = logged;
  const told = Object.entries(values).map(([name, value]) => `${name}=${asText(value)}`);
  const first = [time.slice(11, 23), (LEVELS[level] ?? String(level)).padEnd(5), role.padEnd(6), msg, ...told].join(
    ' ',
  );
  const below = err ? `  ${(err.stack ?? err.message ?? '').replaceAll('\n', '\n  ')}\n` : '';
  return `${first.trimEnd()}\n${below}`;
}
