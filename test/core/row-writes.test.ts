import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { ANONYMOUS } from '../../shared/core/callers.js';
import { Context } from '../../shared/core/context.js';
import { sql } from '../../shared/core/sql.js';
import { UserStatus } from '../../shared/tenancy/user-profile/user-relations.entity.js';
import { useApp } from './app.js';

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

const NO_TRANSACTION = 'outside of a transaction, where it is one statement and one round trip';
const NO_ENTITY = 'its table has no entity';
/** Plain writes that stay SQL, by file, and why. */
const LEFT: Readonly<Record<string, { writes: number; why: string }>> = {
  'shared/auth/oauth/grants.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/auth/oauth/oauth-token-source.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/auth/oauth/provider-records.ts': { writes: 2, why: NO_TRANSACTION },
  'shared/auth/personal-access-tokens/access-token-source.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/ci/pipeline-schedules/follow-zone-data.ts': { writes: 1, why: NO_ENTITY },
  'shared/repositories/project-imports/import-state.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/repositories/project-mirrors/mirror-state.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/repositories/project-lifecycle/insert-project.ts': {
    writes: 1,
    why: 'all its values are defaults of the database',
  },
  'shared/auth/user-sessions/authenticate-session.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/auth/user-sessions/end-sessions.ts': { writes: 1, why: NO_TRANSACTION },
  'shared/tenancy/users/ghost-user.ts': { writes: 1, why: NO_ENTITY },
};

async function sourceFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['shared', 'api', 'workers'])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name.endsWith('.ts')) found.push(path.join(entry.parentPath, entry.name));
  return found;
}

/** The statements of a file that hold no other one, their values as `?`. */
function statementsOf(source: string): string[] {
  return [...source.matchAll(/sql`([^`]*)`/g)].map(([, text = '']) =>
    text
      .replaceAll(/\$\{[^{}]*\}/g, '?')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

test('rows are written by typed calls wherever these can say it', async (t) => {
  const found: Record<string, string[]> = {};
  for (const file of await sourceFiles()) {
    const plain = statementsOf(await readFile(file, 'utf8')).filter((text) =>
      PLAIN_WRITES.some((pattern) => pattern.test(text)),
    );
    if (plain.length > 0) found[file] = plain;
  }
  const left = Object.entries(LEFT).map(([file, { writes }]) => [file, writes]);
  const counts = Object.entries(found).map(([file, plain]) => [file, plain.length]);
  t.deepEqual(Object.fromEntries(counts), Object.fromEntries(left), JSON.stringify(found, null, 2));
});

test('nothing can be left for a flush', async (t) => {
  await t.throwsAsync(app.services.db.orm.em.fork().flush(), { message: /Nothing is flushed/ });
  const ctx = new Context(app.services, ANONYMOUS);
  await ctx.transaction(() => {
    // @ts-expect-error -- what needs a flush later is not offered
    t.truthy(ctx.em.persist);
    // @ts-expect-error -- nor is the flush itself
    t.truthy(ctx.em.flush);
    return Promise.resolve();
  });
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
