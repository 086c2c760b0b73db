import utils from 'pg/lib/utils.js';
import sql, { join, raw, Sql } from 'sql-template-tag';
import { plainText } from './plan-each-time.js';
import type { Statement } from './driver/statement.js';

/** Runs statements and answers the rows of each. */
export type RunAll = (statements: readonly Statement[]) => Promise<unknown[][]>;

/** Read-only statements: their rows are the same wherever the statement is placed. */
const READS = /^\s*(select|with)\b/i;
const MORE_THAN_READS =
  /\b(insert|update|delete|merge|for\s+(no\s+key\s+)?(update|share|key)|nextval|setval|pg_\w*lock\w*)\b/i;

/**
 * A column of values that replaces a parameter: the form in which the values are sent, and the type they are read as.
 */
interface Varying {
  sent: unknown[];
  type: string;
  cast: string;
}

const same = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && utils.prepareValue(one) === utils.prepareValue(other));

const plain = (type: string, sent: unknown[]): Varying => ({ sent, type, cast: '' });
/** Sent as text, which an array of arrays of several lengths can only be. */
const asText = (type: string, values: readonly unknown[]): Varying => ({
  sent: values.map((value) => (value === null || value === undefined ? null : String(utils.prepareValue(value)))),
  type: 'text',
  cast: `::${type}`,
});

/** The common type of the differing values; null if it cannot be inferred. */
function findVaryingValues(values: unknown[]): Varying | null {
  const presentValues = values.filter((value) => value !== null && value !== undefined);
  const all = (test: (value: unknown) => boolean) => presentValues.every(test);
  if (all(Number.isSafeInteger)) return plain('bigint', values);
  if (all((value) => typeof value === 'number')) return plain('double precision', values);
  if (all((value) => typeof value === 'string')) return plain('text', values);
  if (all((value) => typeof value === 'boolean')) return plain('boolean', values);
  if (all((value) => value instanceof Date)) return asText('timestamptz', values);
  if (!all(Array.isArray)) return null;
  const items = (presentValues as unknown[][]).flat();
  if (items.length > 0 && items.every(Number.isSafeInteger)) return asText('bigint[]', values);
  return items.length > 0 && items.every((item) => typeof item === 'string') ? asText('text[]', values) : null;
}

/** The text around the values. What Kysely compiled holds each value once, in order. */
const getParts = (statement: Statement): readonly string[] =>
  statement instanceof Sql ? statement.strings : statement.text.split(/\$\d+/);

/** One statement that combines several of the same text; each row has the number of its statement, from 1, in `#`. */
function together(statements: readonly Statement[]): Sql | null {
  const first = statements[0] as Statement;
  const columns: Varying[] = [];
  const values: unknown[] = [];
  for (const [index, value] of first.values.entries()) {
    const candidates = statements.map((statement) => statement.values[index]);
    if (candidates.every((other) => same(other, value))) {
      values.push(value);
      continue;
    }
    const varying = findVaryingValues(candidates);
    if (!varying) return null;
    values.push(raw(`each_.v${columns.length}${varying.cast}`));
    columns.push(varying);
  }
  // All values are equal: only the numbers distinguish the statements.
  if (columns.length === 0)
    columns.push(
      plain(
        'bigint',
        statements.map((_statement, index) => index),
      ),
    );
  const lists = join(columns.map(({ sent, type }) => sql`${sent}::${raw(type)}[]`));
  const names = raw(columns.map((_column, index) => `v${index}`).join(', '));
  // Plain SQL: it puts statements together that are compiled already.
  return sql`select each_."#", one_.* from unnest(${lists}) with ordinality as each_ (${names}, "#")
    cross join lateral (${new Sql(getParts(first), values)}) one_`;
}

/** The rows of each of so many statements that were read together. */
function apart(rows: readonly unknown[], count: number): unknown[][] {
  const parts: unknown[][] = Array.from({ length: count }, () => []);
  for (const { '#': number, ...row } of rows as { '#': number }[]) parts[number - 1]?.push(row);
  return parts;
}

/** Groups statements of the same text, by index; statements that do more than read form a group alone. */
function getGroups(statements: readonly Statement[]): number[][] {
  const groups: number[][] = [];
  const byText = new Map<string, number[]>();
  for (const [index, { text }] of statements.entries()) {
    const indexes = byText.get(text);
    if (indexes) indexes.push(index);
    else {
      const group = [index];
      groups.push(group);
      if (READS.test(plainText(text)) && !MORE_THAN_READS.test(text)) byText.set(text, group);
    }
  }
  return groups;
}

/**
 * Runs statements, combining those of the same text: regardless of the number of parents in a GraphQL list, the reads
 * for all of them are one statement, joined laterally to the values in which they differ.
 * @returns the rows of each statement, in the order of that statement
 */
export async function runAlike(statements: readonly Statement[], run: RunAll): Promise<unknown[][]> {
  const groups: number[][] = [];
  const sent: Statement[] = [];
  for (const group of getGroups(statements)) {
    const members = group.map((member) => statements[member] as Statement);
    const one = members.length > 1 ? together(members) : null;
    if (one) {
      groups.push(group);
      sent.push(one);
    } else {
      for (const member of group) groups.push([member]);
      sent.push(...members);
    }
  }
  const answers = await run(sent);
  const results: unknown[][] = statements.map(() => []);
  groups.forEach((group, index) => {
    const rows = answers[index] ?? [];
    const parts = group.length > 1 ? apart(rows, group.length) : [rows];
    group.forEach((member, at) => {
      results[member] = parts[at] as unknown[];
    });
  });
  return results;
}
