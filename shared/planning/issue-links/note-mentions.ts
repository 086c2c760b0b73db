import type { Context } from '../../core/context/context.js';
import { allOf, unnested } from '../../core/database/expressions.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Issue } from '../issues/issue.entity.js';
import { noteCrossReferences } from './cross-references.js';

/** Maximum number of references read per text. */
const MOST = 100;

const KINDS: ReadonlySet<string> = new Set(['project_member', 'issue']);

/** What no reference is without. */
const mayMention = (text: string) => /[#@]|\/-\//.test(text);

async function storeUsers(ctx: Context, issue: Issue, userIds: readonly number[]): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .with('gone', (db) =>
      db.deleteFrom('issue_mentions').where('issue_id', '=', issue.id).where('user_id', '<>', allOf(userIds, 'bigint')),
    )
    .insertInto('issue_mentions')
    .columns(['project_id', 'issue_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom(unnested(userIds, 'bigint').as('u'))
        .select([
          eb.cast<number>(eb.val(issue.project_id), 'bigint').as('project_id'),
          eb.cast<number>(eb.val(issue.id), 'bigint').as('issue_id'),
          'u.value',
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Records the users and issues mentioned in an issue's title and description, limited to those visible to the caller,
 * who wrote them. For mentions removed from the text, only those of users are deleted.
 */
export async function noteMentions(ctx: Context, issue: Issue, project: ProjectSummary, isNew: boolean): Promise<void> {
  const { title, description } = issue;
  if (!mayMention(`${title} ${description ?? ''}`)) {
    if (!isNew) await storeUsers(ctx, issue, []);
    return;
  }
  const container = { kind: 'project', id: issue.project_id } as const;
  const texts = [
    { written: title, form: 'line', container } as const,
    { written: description ?? '', form: 'text', container } as const,
  ];
  const found = await ctx.services.markdown.linksOf(ctx, texts, KINDS, MOST);
  const getIds = (name: string) => [
    ...new Set(found.flatMap(({ link }) => (typeof link.data?.[name] === 'number' ? [link.data[name]] : []))),
  ];
  const users = getIds('user');
  if (users.length > 0 || !isNew) await storeUsers(ctx, issue, users);
  await noteCrossReferences(ctx, { issue, project }, getIds('issue'));
}
