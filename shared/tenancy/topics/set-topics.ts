import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';

const MOST = 255;

/** Names as they are kept: trimmed, none empty, each once whatever its case. */
export function topicNames(given: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const name of given.map((text) => text.trim()))
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.values()];
}

/** What is wrong with topics, or null. */
export function topicsProblem(names: readonly string[]): string | null {
  if (names.some((name) => [...name].length > MOST)) return `is too long (maximum is ${MOST} characters)`;
  return names.some((name) => /[\r\n]/.test(name)) ? 'has characters that are not allowed' : null;
}

/**
 * Gives a project exactly these topics; ones that nobody had are made. A topic keeps the spelling it was made with.
 * @throws Invalid
 */
export async function setTopics(ctx: Context, projectId: number, given: readonly string[]): Promise<void> {
  const names = topicNames(given);
  const problem = topicsProblem(names);
  if (problem) throw new Invalid({ topics: [problem] });
  // The database alone says what differs in case only: it and JavaScript disagree about letters such as İ and ς.
  const keys = sql`select lower(u.name) from unnest(${names}::text[]) as u (name)`;
  const now = ctx.clock.now();
  if (names.length > 0)
    // In order, so that two who make the same topics wait for each other instead of standing still.
    await ctx.query(sql`
      insert into topics (name, title, created_at, updated_at)
      select u.name, u.name, ${now}, ${now} from unnest(${names}::text[]) as u (name) order by lower(u.name)
      on conflict (lower(name)) do nothing`);
  await ctx.query(sql`
    delete from project_topics pt using topics t
     where t.id = pt.topic_id and pt.project_id = ${projectId} and not (lower(t.name) in (${keys}))`);
  if (names.length > 0)
    await ctx.query(sql`
      insert into project_topics (project_id, topic_id)
      select ${projectId}, t.id from topics t where lower(t.name) in (${keys}) order by t.id
      on conflict (project_id, topic_id) do nothing`);
}
