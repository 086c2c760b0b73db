import { parseCron } from './cron.js';

/** The fields of an expression in their order, and what each may hold. */
const FIELDS = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of month', '1 to 31, or L for the last'],
  ['month', '1 to 12, or jan to dec'],
  ['day of week', '0 to 7 (0 and 7 are Sunday), or sun to sat'],
] as const;

const NOTATION = 'lists (1,5), ranges (1-5) and steps (*/2)';
const MAX_LENGTH = 40;

const quoted = (text: string) => JSON.stringify(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

/** Whether a field can be read where all others are `*`. */
const isLegal = (text: string, index: number) =>
  parseCron(FIELDS.map((_field, at) => (at === index ? text : '*')).join(' ')).ok;

/** Which field of a cron expression cannot be read, and what it may be; null where the expression can be read. */
export function cronHint(expression: string): string | null {
  const parsed = parseCron(expression);
  if (parsed.ok) return null;
  if (parsed.reason === 'never') return 'Its months never have the day of month that it names.';
  const texts = expression.trim().split(/\s+/);
  if (expression.trim().startsWith('@'))
    return 'Of names there are @yearly, @monthly, @weekly, @daily, @midnight, @noon and @hourly.';
  if (texts.length !== FIELDS.length)
    return `A cron expression has five fields: minute, hour, day of month, month, day of week. This one has ${expression.trim() === '' ? 0 : texts.length}.`;
  const bad = FIELDS.flatMap(([name, values], index) => {
    const text = texts[index] ?? '';
    return isLegal(text, index) ? [] : [`${name}: ${quoted(text)} cannot be read. It is ${values}; ${NOTATION}.`];
  });
  return bad.join(' ') || null;
}
