import type { Answer, TwinDatabase } from './twin-database.js';

interface UserRow {
  id: number;
  username: string;
  public_email: string | null;
  name: string;
  state: string;
}

/** A list is counted up to here. */
const COUNTED = 10_000;

const FOUND = `(u.username ilike $1 or u.name ilike $1 or lower(u.public_email) = lower($2))`;

const page = (where: string, perPage: number) => `
  select u.id, u.username, u.public_email, u.name, u.state from users u
   where ${where} order by u.id desc limit ${perPage + 1}`;
const count = (where: string) =>
  `select count(*)::int as total from (select 1 from users u where ${where} limit ${COUNTED + 1}) seen`;

function getHeaders(url: string, query: string, perPage: number, total: number, more: boolean): Record<string, string> {
  const pages = Math.max(Math.ceil(total / perPage), 1);
  const link = (number: number, rel: string) => `<${url}?${query}&page=${number}>; rel="${rel}"`;
  const counted = total <= COUNTED;
  return {
    Link: [...(more ? [link(2, 'next')] : []), link(1, 'first'), ...(counted ? [link(pages, 'last')] : [])].join(', '),
    'X-Next-Page': more ? '2' : '',
    'X-Page': '1',
    'X-Per-Page': String(perPage),
    'X-Prev-Page': '',
    ...(counted ? { 'X-Total': String(total), 'X-Total-Pages': String(pages) } : {}),
  };
}

/** The first page of `GET /users`, with or without a search, as callers other than administrators see it. */
export async function userList(db: TwinDatabase, _userId: number, match: RegExpExecArray): Promise<Answer> {
  const [, query = '', search, size] = match;
  const perPage = Number(size);
  const [name, where, values] = search ? ['search', FOUND, [`%${search}%`, search]] : ['all', 'true', []];
  const rows = await db.rows<UserRow>(`users ${name} ${perPage}`, page(where, perPage), values);
  const more = rows.length > perPage;
  const [counted] = more ? await db.rows<{ total: number }>(`users ${name} count`, count(where), values) : [];
  const users = rows.slice(0, perPage).map((user) => ({
    id: user.id,
    username: user.username,
    public_email: user.public_email ?? '',
    name: user.name,
    state: user.state,
    locked: false,
    avatar_url: `${db.externalUrl}/-/identicons/users/${user.id}.svg`,
    web_url: `${db.externalUrl}/${user.username}`,
  }));
  const headers = getHeaders(`${db.externalUrl}/api/v4/users`, query, perPage, counted?.total ?? rows.length, more);
  return { body: JSON.stringify(users), headers };
}
