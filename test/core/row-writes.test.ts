import { readFile } from 'node:fs/promises';
import test from 'ava';
import { ANONYMOUS } from '../../shared/core/callers.js';
import { Context } from '../../shared/core/context.js';
import { sql } from '../../shared/core/sql.js';
import { UserStatus } from '../../shared/tenancy/users/user-relations.entity.js';
import { useApp } from './app.js';
import { sourceFiles } from './source-files.js';

const app = useApp(test);

const VALUE = String.raw`(?:\?(?:::\w+(?:\[\])?)?|true|false|null|-?\d+|'[^']*')`;
const CONDITIONS = String.raw`(?:\w+\.)?\w+ (?:=|<>|is) ${VALUE}(?: and (?:\w+\.)?\w+ (?:=|<>|is) ${VALUE})*`;
const RETURNING = String.raw`(?: returning .*)?`;
const ASSIGNED = String.raw`\w+ = (?:excluded\.\w+|${VALUE})`;
/** Writes whose table, values and conditions are all known: what the typed calls say as well. */
const PLAIN_WRITES = [
  String.raw`delete from \w+(?: \w+)? where ${CONDITIONS}${RETURNING}`,
  String.raw`update \w+(?: \w+)? set ${ASSIGNED}(?:, ${ASSIGNED})* where ${CONDITIONS}${RETURNING}`,
  String.raw`insert into \w+ \([^()]*\) values \(${VALUE}(?:, ${VALUE})*\)`,
  String.raw`insert into \w+ \([^()]*\) values \(${VALUE}(?:, ${VALUE})*\) on conflict \([^()]*\) do update set ${ASSIGNED}(?:, ${ASSIGNED})*`,
].map((pattern) => new RegExp(`^${pattern}$`));

/** Above a plain write that stays SQL; why follows. */
const STAYS = /^ *\/\/ Plain SQL: \S/;

/** The line that each plain write of a file begins in, from 0; a statement that holds another one is none. */
function plainWrites(source: string): number[] {
  return [...source.matchAll(/sql`([^`]*)`/g)].flatMap(({ index, 1: text = '' }) => {
    const flat = text
      .replaceAll(/\$\{[^{}]*\}/g, '?')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return PLAIN_WRITES.some((pattern) => pattern.test(flat)) ? [source.slice(0, index).split('\n').length - 1] : [];
  });
}

test('rows are written by typed calls wherever these can say it', async (t) => {
  const without: string[] = [];
  let staying = 0;
  for (const file of sourceFiles('shared', 'api', 'workers')) {
    const source = await readFile(file, 'utf8');
    const lines = source.split('\n');
    const plain = plainWrites(source);
    without.push(...plain.filter((at) => !STAYS.test(lines[at - 1] ?? '')).map((at) => `${file}:${at + 1}`));
    const marks = lines.flatMap((line, at) => (STAYS.test(line) ? [at + 1] : []));
    t.deepEqual(
      marks.filter((at) => !plain.includes(at)),
      [],
      `${file} gives a reason above what is no plain write`,
    );
    staying += marks.length;
  }
  t.deepEqual(without, [], 'what a typed call can say, and nothing says why it does not');
  t.true(staying > 0);
});

test('an update refuses a column that may be undefined, which would be stored as null', (t) => {
  const message = (): string | undefined => undefined;
  const update = (ctx: Context) =>
    // @ts-expect-error -- the message may be undefined
    ctx.em.nativeUpdate(UserStatus, { id: 1 }, { message: message() });
  t.is(typeof update, 'function');
});

test('a row that is written twice in one transaction is changed each time, at once', async (t) => {
  const user = await app.build.user();
  const ctx = new Context(app.services, ANONYMOUS);
  const status = { user_id: user.id, emoji: 'rocket', availability: 'busy', clear_at: null };
  await ctx.transaction(async () => {
    for (const message of ['up', 'down']) {
      await ctx.em.upsert(UserStatus, { ...status, message }, { onConflictFields: ['user_id'] });
      const rows = await ctx.query<{ message: string }>(
        sql`select s.message as "message" from user_statuses s where s.user_id = ${user.id}`,
      );
      t.deepEqual(rows, [{ message }]);
    }
  });
});
