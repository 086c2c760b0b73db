import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { ContainerRecord } from '../../planning/issuables/labels-of-titles.js';
import type { NotesDatabase } from '../notes.entities.js';

/** An argument that a command cannot parse or that does not exist; the message is returned unchanged. */
export class BadCommand extends Error {}

/** Words; a quoted word can contain blanks: `~bug ~"to do"`. */
const WORD = /[~%]?"[^"]{1,255}"|\S+/g;
const unquoted = (word: string, sign: string): string => {
  const name = word.startsWith(sign) ? word.slice(sign.length) : word;
  return name.startsWith('"') && name.endsWith('"') && name.length > 1 ? name.slice(1, -1) : name;
};

/** `~bug ~"to do", other` as titles. */
export const titlesIn = (argument: string, sign: '~' | '%'): string[] => {
  const single = !argument.includes('"') && !argument.includes(sign, 1);
  // Without prefix characters between them, words form one title with blanks.
  if (single) return argument === '' ? [] : [unquoted(argument, sign)];
  return [...argument.matchAll(WORD)].map(([word]) => unquoted(word.replace(/,$/, ''), sign)).filter(Boolean);
};

/** `@ann and @ben` as user ids; `me` is the caller. @throws BadCommand for an unknown username */
export async function usersIn(ctx: Context, argument: string): Promise<{ id: number; username: string }[]> {
  const parts = argument.split(/[\s,]+/).filter((word) => word !== '' && word.toLowerCase() !== 'and');
  const names = parts.map((word) => (word.startsWith('@') ? word.slice(1) : word).toLowerCase());
  if (names.length === 0) throw new BadCommand('No user was named.');
  const own = ctx.caller.anonymous ? null : ctx.caller.user.username.toLowerCase();
  const usernames = [...new Set(names.map((name) => (name === 'me' && own ? own : name)))];
  const found = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('users as u')
    .select(['u.id', 'u.username'])
    .where((eb) => eb(eb.fn<string>('lower', ['u.username']), '=', anyOf(usernames, 'text')))
    .orderBy('u.id')
    .execute();
  if (found.length < usernames.length) throw new BadCommand('Failed to find users.');
  return found;
}

const DAYS_AWAY: Readonly<Record<string, number>> = { today: 0, tomorrow: 1 };
const UNITS: Readonly<Record<string, number>> = { day: 1, days: 1, week: 7, weeks: 7 };

/** `2030-01-31`, `today`, `tomorrow`, `in 2 weeks` as a day. @throws BadCommand */
export function dayIn(argument: string, now: Date): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(argument)) return argument;
  const [, count = '', unit = ''] = /^in (\d{1,3}) (\w+)$/.exec(argument) ?? [];
  const days = DAYS_AWAY[argument.toLowerCase()] ?? Number(count) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(days)) throw new BadCommand('Failed to read the date.');
  return new Date(now.getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);
}

/** A reference to an issue in a project: its number, and the path of its project if that is a different one. */
export interface IssueReference {
  readonly path: string | null;
  readonly iid: number;
}

/** `#5 group/project#6` and addresses of pages. @throws BadCommand */
export function issuesIn(argument: string): IssueReference[] {
  const parts = argument.split(/[\s,]+/).filter((word) => word !== '');
  const references = parts.map((word) => {
    const [, path = null, number, ofPage, numberOfPage] =
      /^([\w./-]+)?#(\d{1,9})$|^https?:\/\/[^/]+\/(.+?)\/-\/(?:issues|work_items)\/(\d{1,9})$/.exec(word) ?? [];
    const iid = Number(number ?? numberOfPage);
    if (!iid) throw new BadCommand('Failed to find the issue.');
    return { path: ofPage ?? path ?? null, iid };
  });
  if (references.length === 0) throw new BadCommand('No issue was named.');
  return references;
}

/** The milestone of a title, of a project or the groups that it lies in. @throws BadCommand */
export async function milestoneIn(
  ctx: Context,
  found: ContainerRecord,
  argument: string,
): Promise<{ id: number; title: string }> {
  const [title = ''] = titlesIn(argument, '%');
  const [projectId, above] =
    'namespace' in found ? [found.id, found.namespace.traversal_ids] : [null, found.traversal_ids];
  const milestone = await ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom('milestones as m')
    .select(['m.id', 'm.title'])
    .where('m.title', '=', title)
    .where((eb) => eb.or([eb('m.project_id', '=', projectId), eb('m.namespace_id', '=', anyOf(above, 'bigint'))]))
    .orderBy('m.project_id', (order) => order.nullsLast())
    .orderBy('m.id')
    .limit(constant(1))
    .executeTakeFirst();
  if (!milestone) throw new BadCommand('Failed to find the milestone.');
  return milestone;
}
